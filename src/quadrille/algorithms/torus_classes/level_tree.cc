#include "quadrille/algorithms/torus_classes/level_tree.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/graphs/group_sizes.h"
#include "quadrille/algorithms/torus_classes/cooling.h"
#include "quadrille/algorithms/torus_classes/lattice_library.h"
#include "quadrille/algorithms/torus_classes/level_hubs.h"
#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// Nodes.
constexpr uint64_t kMany = 256;
// Up to so many levels single nodes are moved from the start; in more there are few hubs, which that does not find.
constexpr uint32_t kFewLevels = 3;

constexpr Cooling kNearestFirst{.hot = kCertain / 4, .cold = kCertain / 5000};
// From what is good already.
constexpr Cooling kPolish{.hot = kCertain / 50, .cold = kCertain / 5000};
constexpr Cooling kOneWay{.hot = kCertain * 3 / 5, .cold = kCertain / 1000};

// Cosets and what is between them.
class Quotient {
 public:
  Quotient(const TorusClasses& torus, const TorusLattice& lattice)
      : size_(lattice.num_cosets()), between_(size_t{size_} * size_), hops_(between_.size()) {
    for (size_t g = 0; g < torus.num_groups() && !torus.is_even(); ++g) {
      std::vector<uint32_t>& loads = loads_.emplace_back();
      for (uint32_t c = 0; c < size_; ++c)
        loads.push_back(torus.scale(g) * torus.length_in(lattice.nearest(c), g));
    }
    for (uint32_t a = 0; a < size_; ++a) {
      const uint32_t back = torus.back(lattice.nearest(a));
      for (uint32_t b = 0; b < size_; ++b) {
        const uint32_t coset = lattice.coset(torus.moved(lattice.nearest(b), back));
        between_[at(a, b)] = coset;
        hops_[at(a, b)] = lattice.length(coset);
      }
    }
  }

  [[nodiscard]] uint32_t size() const { return size_; }
  /// What has to be added to a to come to b.
  [[nodiscard]] uint32_t between(uint32_t a, uint32_t b) const { return between_[at(a, b)]; }
  /// Groups whose loads differ; none where all hops are alike.
  [[nodiscard]] size_t num_groups() const { return loads_.size(); }
  [[nodiscard]] uint32_t load(uint32_t a, uint32_t b, size_t group) const {
    return loads_[group][between(a, b)];
  }
  /// All of these.
  [[nodiscard]] std::span<const uint32_t> hops() const { return hops_; }
  /// From a to b = 0, 1, .., and as far back.
  [[nodiscard]] const uint32_t* hops_from(uint32_t a) const { return &hops_[at(a, 0)]; }

 private:
  [[nodiscard]] size_t at(uint32_t a, uint32_t b) const { return size_t{a} * size_ + b; }

  uint32_t size_;
  std::vector<uint32_t> between_;
  std::vector<uint32_t> hops_;
  std::vector<std::vector<uint32_t>> loads_{};  // per group and coset, of the way from 0
};

struct Levels {
  uint64_t hops = UINT64_MAX;      // or what the busiest groups of links carry, in all levels
  std::vector<uint32_t> level{};   // per coset
  std::vector<uint32_t> parent{};  // per coset
  std::vector<uint32_t> step{};    // per coset: the displacement from its parent
};

// What a link of the busiest group carries in each level, added up.
class LevelLoads {
 public:
  LevelLoads(const Quotient& quotient, uint32_t levels)
      : quotient_(quotient), groups_(quotient.num_groups()), of_(groups_ * (levels + 1), 0) {}

  void clear() {
    std::fill(of_.begin(), of_.end(), 0);
    all_ = 0;
  }
  void add(uint32_t level, uint32_t from, uint32_t to) {
    all_ -= most(level);
    for (size_t g = 0; g < groups_; ++g) of_[level * groups_ + g] += quotient_.load(from, to, g);
    all_ += most(level);
  }
  void remove(uint32_t level, uint32_t from, uint32_t to) {
    all_ -= most(level);
    for (size_t g = 0; g < groups_; ++g) of_[level * groups_ + g] -= quotient_.load(from, to, g);
    all_ += most(level);
  }
  /// Of one level, if this is added.
  [[nodiscard]] uint64_t with(uint32_t level, uint32_t from, uint32_t to) const {
    uint64_t out = 0;
    for (size_t g = 0; g < groups_; ++g)
      out = std::max(out, of_[level * groups_ + g] + quotient_.load(from, to, g));
    return out;
  }
  [[nodiscard]] uint64_t all() const { return all_; }

 private:
  [[nodiscard]] uint64_t most(uint32_t level) const {
    const auto begin = of_.begin() + static_cast<ptrdiff_t>(level * groups_);
    return *std::max_element(begin, begin + static_cast<ptrdiff_t>(groups_));
  }

  const Quotient& quotient_;
  size_t groups_;
  std::vector<uint64_t> of_;  // per level and group
  uint64_t all_ = 0;
};

// Every coset from the nearest one below its level.
class NearestSearch {
 public:
  NearestSearch(const TorusClasses& torus, const TorusLattice& lattice, const Quotient& quotient,
                uint32_t levels)
      : torus_(torus),
        lattice_(lattice),
        quotient_(quotient),
        levels_(levels),
        size_(quotient.size()),
        is_even_(torus.is_even()),
        loads_(quotient, levels) {}

  [[nodiscard]] Levels find(LevelSearchEffort effort) {
    Levels out;
    const uint64_t moves = levels_ < 2 || levels_ > kFewLevels || size_ < 2 ? 0 : effort.moves;
    const uint32_t starts = moves == 0 ? 1 : effort.starts;
    for (uint32_t seed = 1; seed <= starts; ++seed) {
      // As far away as the levels reach, in equal shares.
      level_.assign(size_, 0);
      const uint32_t farthest = std::max(1U, lattice_.radius());
      for (uint32_t v = 1; v < size_; ++v)
        level_[v] = (lattice_.length(v) * levels_ + farthest - 1) / farthest;
      find(seed, moves, kNearestFirst, out);
    }
    return out;
  }

  /// From these levels on, if that is better than what there is.
  void improve(std::vector<uint32_t> level, uint64_t moves, const Cooling& cooling, Levels& best) {
    level_ = std::move(level);
    find(1, levels_ < 2 || size_ < 2 ? 0 : moves, cooling, best);
  }

 private:
  static constexpr uint32_t kAtOnce = 64;
  static constexpr int kMostPasses = 8;

  struct Near {
    uint32_t hops = 0;
    uint32_t coset = 0;
  };
  struct Change {
    uint32_t coset;
    uint32_t level;
    Near before;
  };

  void find(uint64_t seed, uint64_t moves, const Cooling& cooling, Levels& best) {
    look_at_all();
    Levels mine;
    keep(mine);
    Rng rng(seed);
    for (uint64_t move = 0; move < moves; ++move) {
      const auto v = static_cast<uint32_t>(1 + rng.below(size_ - 1));
      const uint64_t hops = hops_now();
      const auto after = static_cast<uint32_t>(1 + rng.below(levels_));
      if (level_[v] == after) continue;
      changes_.clear();
      move_to(v, after);
      const uint64_t now = hops_now();
      if (now > hops && !cooling.keeps(now - hops, move, moves, rng)) {
        for (; !changes_.empty(); changes_.pop_back()) {
          const Change& change = changes_.back();
          leave(change.coset, level_[change.coset]);
          level_[change.coset] = change.level;
          set_near(change.coset, change.before);
          join(change.coset, change.level);
        }
        continue;
      }
      if (now < mine.hops) keep(mine);
    }
    if (!is_even_) even_out(mine);
    if (mine.hops < best.hops) best = std::move(mine);
  }

  [[nodiscard]] uint64_t hops_now() const { return is_even_ ? hops_ : loads_.all(); }

  void look_at_all() {
    near_hops_.assign(size_, 0);
    near_coset_.assign(size_, 0);
    hops_ = 0;
    loads_.clear();
    for (uint32_t v = 1; v < size_; ++v) {
      set_near(v, nearest_below(v));
      join(v, level_[v]);
    }
  }

  void leave(uint32_t coset, uint32_t level) {
    if (is_even_) {
      hops_ -= near_hops_[coset];
    } else {
      loads_.remove(level, near_coset_[coset], coset);
    }
  }
  void join(uint32_t coset, uint32_t level) {
    if (is_even_) {
      hops_ += near_hops_[coset];
    } else {
      loads_.add(level, near_coset_[coset], coset);
    }
  }
  template <typename Find>
  void change(uint32_t coset, uint32_t level_before, const Find& near) {
    changes_.push_back({coset, level_before, {near_hops_[coset], near_coset_[coset]}});
    leave(coset, level_before);
    set_near(coset, near());
    join(coset, level_[coset]);
  }
  void set_near(uint32_t coset, Near near) {
    near_hops_[coset] = near.hops;
    near_coset_[coset] = near.coset;
  }

  void move_to(uint32_t v, uint32_t after) {
    const uint32_t before = std::exchange(level_[v], after);
    change(v, before, [&] { return nearest_below(v); });
    const uint32_t low = std::min(before, after);
    const uint32_t high = std::max(before, after);
    const uint32_t* const from_v = quotient_.hops_from(v);
    const auto loses = [&](uint32_t w) { return near_coset_[w] == v; };
    const auto gains = [&](uint32_t w) { return from_v[w] < near_hops_[w]; };
    const auto look = [&](const auto& is_touched, const auto& touch) {
      // Few are: several are asked at once whether any is.
      for (uint32_t first = 0; first < size_; first += kAtOnce) {
        const uint32_t last = std::min(size_, first + kAtOnce);
        uint32_t any = 0;
        for (uint32_t w = first; w < last; ++w)
          any |= static_cast<uint32_t>(level_[w] > low) & static_cast<uint32_t>(level_[w] <= high) &
                 static_cast<uint32_t>(is_touched(w));
        for (uint32_t w = first; any != 0 && w < last; ++w)
          if (w != 0 && w != v && level_[w] > low && level_[w] <= high && is_touched(w)) touch(w);
      }
    };
    if (after > before)
      look(loses, [&](uint32_t w) { change(w, level_[w], [&] { return nearest_below(w); }); });
    else
      look(gains, [&](uint32_t w) { change(w, level_[w], [&] { return Near{from_v[w], v}; }); });
  }

  [[nodiscard]] Near nearest_below(uint32_t v) const {
    // As far there as back: one row of the table after another.
    const uint32_t* const hops = quotient_.hops_from(v);
    const uint32_t below = level_[v];
    uint32_t least = UINT32_MAX;
    for (uint32_t w = 0; w < size_; ++w) {
      const uint32_t here = level_[w] < below ? hops[w] : UINT32_MAX;
      least = here < least ? here : least;
    }
    Near out{least, 0};
    while (least < UINT32_MAX && (level_[out.coset] >= below || hops[out.coset] != least)) ++out.coset;
    if (is_even_) return out;
    // Of several the one whose way loads the level least.
    uint64_t load = UINT64_MAX;
    for (uint32_t w = out.coset; w < size_; ++w) {
      if (level_[w] >= below || hops[w] != least) continue;
      const uint64_t here = loads_.with(below, w, v);
      if (here < load) out.coset = w;
      load = std::min(load, here);
    }
    return out;
  }

  void keep(Levels& best) const {
    best = {hops_now(), level_, {}, {}};
    for (uint32_t v = 0; v < size_; ++v) {
      best.parent.push_back(near_coset_[v]);
      best.step.push_back(lattice_.nearest(quotient_.between(near_coset_[v], v)));
    }
  }

  // Cosets change to parents that need not be the nearest, by ways to any of their nodes, one by one, as long as the busiest group of a
  // level gets less to do, or as much and all groups together less.
  void even_out(Levels& levels) const {
    const size_t groups = torus_.num_groups();
    std::vector<uint32_t> of_step;  // per displacement and group
    for (uint32_t step = 0; step < torus_.num_nodes(); ++step)
      for (size_t g = 0; g < groups; ++g) of_step.push_back(torus_.scale(g) * torus_.length_in(step, g));
    std::vector<uint64_t> loads((levels_ + 1) * groups, 0);
    const auto add = [&](uint32_t level, uint32_t step, bool leaves) {
      for (size_t g = 0; g < groups; ++g) {
        const uint64_t load = of_step[step * groups + g];
        loads[level * groups + g] += leaves ? -load : load;
      }
    };
    // The busiest, and, of as busy ones, all.
    const auto cost_with = [&](uint32_t level, uint32_t step) {
      std::pair<uint64_t, uint64_t> out{0, 0};
      for (size_t g = 0; g < groups; ++g) {
        const uint64_t load = loads[level * groups + g] + of_step[step * groups + g];
        out.first = std::max(out.first, load);
        out.second += load;
      }
      return out;
    };
    for (uint32_t v = 1; v < size_; ++v) add(levels.level[v], levels.step[v], false);
    bool has_changed = true;
    for (int pass = 0; pass < kMostPasses && has_changed; ++pass) {
      has_changed = false;
      for (uint32_t v = 1; v < size_; ++v) {
        const uint32_t level = levels.level[v];
        add(level, levels.step[v], true);
        std::pair best(cost_with(level, levels.step[v]), levels.step[v]);
        const uint32_t before = best.second;
        for (uint32_t w = 0; w < size_; ++w) {
          if (levels.level[w] >= level) continue;
          const uint32_t nearest = lattice_.nearest(quotient_.between(w, v));
          for (const uint32_t h : lattice_.nodes()) {
            const uint32_t step = h == 0 ? nearest : torus_.moved(nearest, h);
            const auto cost = cost_with(level, step);
            if (cost >= best.first) continue;
            best = {cost, step};
            levels.parent[v] = w;
          }
        }
        levels.step[v] = best.second;
        has_changed = has_changed || best.second != before;
        add(level, best.second, false);
      }
    }
    levels.hops = 0;
    for (uint32_t level = 1; level <= levels_; ++level) levels.hops += cost_with(level, 0).first;
  }

  const TorusClasses& torus_;
  const TorusLattice& lattice_;
  const Quotient& quotient_;
  uint32_t levels_;
  uint32_t size_;
  bool is_even_;
  std::vector<uint32_t> level_{};
  std::vector<uint32_t> near_hops_{};   // of each coset the nearest below:
  std::vector<uint32_t> near_coset_{};  // how far, and which
  std::vector<Change> changes_{};
  uint64_t hops_ = 0;  // where all sides are equal
  LevelLoads loads_;
};

// Every level by displacements that turn into each other: one way to a level.
class OneWaySearch {
 public:
  OneWaySearch(const TorusClasses& torus, const TorusLattice& lattice, uint32_t levels)
      : classes_(torus.directions().size()), levels_(levels), size_(lattice.num_cosets()) {
    for (const uint32_t v : torus.by_length()) {
      if (v == 0 || torus.way(v).displacement != v) continue;
      Way way{.length = torus.length(v), .reached = std::vector<std::vector<Reached>>(size_), .origins = {}};
      way.origins.resize(size_);
      std::vector<bool> has(size_, false);
      for (uint32_t k = 0; k < torus.classes(); ++k) {
        const uint32_t step = torus.turned(v, k);
        const uint32_t coset = lattice.coset(step);
        if (coset == 0 || has[coset]) continue;
        has[coset] = true;
        for (uint32_t from = 0; from < size_; ++from) {
          const uint32_t to = lattice.coset(torus.moved(lattice.nearest(from), step));
          way.reached[from].push_back({to, step});
          way.origins[to].push_back({from, step});
        }
      }
      if (!way.reached.front().empty()) ways_.push_back(std::move(way));
    }
  }

  [[nodiscard]] Levels find(LevelSearchEffort effort) {
    Levels out;
    // A level makes no more of those that have it than that many times as many.
    uint64_t most = 1;
    for (uint32_t t = 0; t < levels_ && most < size_; ++t) most *= classes_ + 1;
    if (most < size_) return out;
    for (uint32_t seed = 1; seed <= effort.starts && !ways_.empty() && size_ > 1; ++seed)
      find(seed, effort.moves, out);
    return out;
  }

 private:
  struct Reached {
    uint32_t coset;
    uint32_t step;
  };
  struct Way {
    uint32_t length;
    std::vector<std::vector<Reached>> reached;  // per coset: where it leads
    std::vector<std::vector<Reached>> origins;  // per coset: from where it leads there
  };
  static constexpr uint64_t kUnreached = 8;  // hops

  void find(uint64_t seed, uint64_t moves, Levels& best) {
    Rng rng(seed);
    level_.assign(size_, 0);
    ways_of_.assign(levels_ + 1, 0);
    cost_.assign(size_, 0);
    for (uint32_t v = 1; v < size_; ++v) level_[v] = static_cast<uint32_t>(1 + rng.below(levels_));
    for (uint32_t t = 1; t <= levels_; ++t)
      ways_of_[t] = static_cast<uint32_t>(rng.below(std::min<size_t>(ways_.size(), 8)));
    uint64_t hops = look_at_all();
    for (uint64_t move = 0; move < moves; ++move) {
      if (rng.below(size_) == 0) {
        hops = change_ways(hops, move, moves, rng);
      } else {
        hops = change_level(hops, move, moves, rng);
      }
      if (hops < best.hops) keep(hops, best);
    }
  }

  [[nodiscard]] const Way& way_of(uint32_t v) const { return ways_[ways_of_[level_[v]]]; }

  [[nodiscard]] uint64_t cost(uint32_t v) const {
    const Way& way = way_of(v);
    for (const Reached& origin : way.origins[v])
      if (level_[origin.coset] < level_[v]) return way.length;
    return way.length + kUnreached;
  }

  [[nodiscard]] uint64_t look_at_all() {
    uint64_t out = 0;
    for (uint32_t v = 1; v < size_; ++v) out += cost_[v] = cost(v);
    return out;
  }

  [[nodiscard]] uint64_t change_ways(uint64_t hops, uint64_t move, uint64_t moves, Rng& rng) {
    const size_t t = 1 + rng.below(levels_);
    const std::vector<uint32_t> before = ways_of_;
    if (rng.below(3) == 0) {
      std::swap(ways_of_[t], ways_of_[1 + rng.below(levels_)]);
    } else {
      ways_of_[t] = static_cast<uint32_t>(rng.below(ways_.size()));
    }
    const uint64_t now = look_at_all();
    if (now <= hops || kOneWay.keeps(now - hops, move, moves, rng)) return now;
    ways_of_ = before;
    return look_at_all();
  }

  [[nodiscard]] uint64_t change_level(uint64_t hops, uint64_t move, uint64_t moves, Rng& rng) {
    const auto v = static_cast<uint32_t>(1 + rng.below(size_ - 1));
    const uint32_t before = level_[v];
    const auto after = static_cast<uint32_t>(1 + rng.below(levels_));
    if (after == before) return hops;
    level_[v] = after;
    touched_.assign(1, v);
    for (uint32_t t = std::min(before, after) + 1; t <= std::max(before, after); ++t) {
      for (const Reached& next : ways_[ways_of_[t]].reached[v])
        if (next.coset != 0 && next.coset != v && level_[next.coset] == t) touched_.push_back(next.coset);
    }
    uint64_t now = hops;
    for (const uint32_t w : touched_) now = now - cost_[w] + cost(w);
    if (now > hops && !kOneWay.keeps(now - hops, move, moves, rng)) {
      level_[v] = before;
      return hops;
    }
    for (const uint32_t w : touched_) cost_[w] = cost(w);
    return now;
  }

  // Where everything is reached.
  void keep(uint64_t hops, Levels& best) const {
    Levels out{hops, level_, std::vector<uint32_t>(size_, 0), std::vector<uint32_t>(size_, 0)};
    for (uint32_t v = 1; v < size_; ++v) {
      bool is_reached = false;
      for (const Reached& origin : way_of(v).origins[v]) {
        if (level_[origin.coset] >= level_[v]) continue;
        is_reached = true;
        out.parent[v] = origin.coset;
        out.step[v] = origin.step;
        break;
      }
      if (!is_reached) return;
    }
    best = std::move(out);
  }

  size_t classes_;
  uint32_t levels_;
  uint32_t size_;
  std::vector<Way> ways_;
  std::vector<uint32_t> ways_of_;  // per level
  std::vector<uint32_t> level_;
  std::vector<uint64_t> cost_;
  std::vector<uint32_t> touched_;
};

// Of all nodes, by grids in the torus that become finer from level to level.
std::vector<uint32_t> levels_by_grids(const TorusClasses& torus, uint32_t levels) {
  const std::vector<uint32_t>& sides = torus.sides();
  const GroupSizes boxes = GroupSizes::boxes(sides, [&](size_t d, uint32_t length) {
    uint64_t all = 0;
    for (uint32_t x = 0; x < length; ++x) {
      const uint32_t off = x > length / 2 ? x - length / 2 : length / 2 - x;
      all += std::min(off, sides[d] - off);
    }
    return static_cast<double>(all) / length;
  });
  std::vector<uint32_t> out(torus.num_nodes(), levels);
  const GroupSizes::Chain chain = boxes.best(levels);
  for (uint32_t level = levels; level-- > 0;) {
    for (uint32_t v = 0; v < torus.num_nodes(); ++v) {
      bool is_on_grid = true;
      for (size_t d = 0; d < sides.size() && is_on_grid; ++d) {
        const uint32_t side = sides[d];
        const uint32_t parts = (side + chain.sizes[level][d] - 1) / chain.sizes[level][d];
        const uint32_t x = v / torus.strides()[d] % side;
        // Of x = floor(i side / parts) for some i.
        is_on_grid = (x * parts + parts - 1) / side * side / parts == x;
      }
      if (is_on_grid) out[v] = level + 1;
    }
  }
  out[0] = 0;
  return out;
}

// A search that sees few nodes and moves many levels at once.
void improve_from_hubs(const Quotient& quotient, uint32_t levels, LevelSearchEffort effort,
                       NearestSearch& search, Levels& best) {
  if (effort.moves == 0 || levels < 2) return;
  const bool few = levels <= kFewLevels;
  const HubSearchEffort hubs{.moves = few ? effort.moves : 2 * effort.moves,
                             .starts = std::max(1U, effort.starts)};
  search.improve(levels_by_hubs(quotient.hops(), quotient.size(), levels, hubs),
                 few ? effort.moves : effort.moves / 8, kPolish, best);
}

// From nodes of the tree to others, where levels know cosets alone.
LevelTree tree_of(const TorusClasses& torus, const Levels& found, uint32_t levels) {
  LevelTree out{.levels = levels, .edges = {}};
  std::vector<uint32_t> node(found.level.size(), 0);
  for (uint32_t level = 1; level <= levels; ++level) {
    for (uint32_t v = 0; v < node.size(); ++v) {
      if (found.level[v] != level) continue;
      node[v] = torus.moved(node[found.parent[v]], found.step[v]);
      out.edges.push_back({level, node[found.parent[v]], node[v]});
    }
  }
  return out;
}

// Of a second in all, for all levels; small networks need less, and large ones start from grids, or from hubs.
LevelSearchEffort moderate(const TorusClasses& torus, uint32_t levels) {
  const uint64_t nodes = torus.num_nodes();
  if (nodes > kMany)
    return {.moves = (uint64_t{1} << (levels > kFewLevels ? 23U : 24U)) / nodes, .starts = 0};
  return {.moves = std::min((uint64_t{1} << 22U) / nodes, 512 * nodes), .starts = 2};
}

}  // namespace

uint64_t LevelTree::load_of(const TorusClasses& torus, uint32_t level) const {
  std::vector<uint32_t> displacements;
  for (const Edge& edge : edges)
    if (edge.level == level) displacements.push_back(torus.moved(edge.to, torus.back(edge.from)));
  return torus.load(displacements);
}

uint64_t LevelTree::load(const TorusClasses& torus) const {
  uint64_t out = 0;
  for (uint32_t level = 1; level <= levels; ++level) out += load_of(torus, level);
  return out;
}

LevelTree level_tree(const TorusClasses& torus, const TorusLattice& lattice, uint32_t levels,
                     LevelSearchEffort effort) {
  const Quotient quotient(torus, lattice);
  NearestSearch search(torus, lattice, quotient, levels);
  Levels found = search.find(effort);
  improve_from_hubs(quotient, levels, effort, search, found);
  return tree_of(torus, found, levels);
}

std::optional<LevelTree> near_level_tree(const TorusClasses& torus, const TorusLattice& lattice,
                                         uint32_t levels, LevelSearchEffort effort) {
  if (!torus.is_even()) return std::nullopt;
  const Levels found = OneWaySearch(torus, lattice, levels).find(effort);
  if (found.level.empty()) return std::nullopt;
  return tree_of(torus, found, levels);
}

namespace {

// Trees of all nodes that were looked for, by sides and levels.
template <typename Tree, typename Find>
Tree kept_tree(const TorusClasses& torus, uint32_t levels, Find find) {
  static std::mutex guard;
  static std::map<std::tuple<std::vector<uint32_t>, std::vector<uint32_t>, uint32_t>, Tree> kept;
  const std::tuple key(torus.sides(), torus.strides(), levels);
  {
    const std::lock_guard lock(guard);
    if (const auto it = kept.find(key); it != kept.end()) return it->second;
  }
  Tree tree = find();
  const std::lock_guard lock(guard);
  return kept.emplace(key, std::move(tree)).first->second;
}

// Of an allreduce that is stored: without an exchange in the middle its tile is all nodes.
std::optional<LevelTree> stored_tree(const TorusClasses& torus, uint32_t levels) {
  for (const StoredLattice& stored : lattice_library()) {
    if (!stored.near() && stored.steps() == 2 * uint64_t{levels} && stored.tile() == torus.num_nodes() &&
        stored.is_for(torus))
      return stored.design(torus).tile;
  }
  return std::nullopt;
}

// Cosets of one node each.
struct AllNodes {
  explicit AllNodes(const TorusClasses& torus) : lattice(torus, {}), quotient(torus, lattice) {}

  TorusLattice lattice;
  Quotient quotient;
};

// Of the torus that was asked about last.
std::shared_ptr<const AllNodes> all_nodes(const TorusClasses& torus) {
  static std::mutex guard;
  static std::pair<std::vector<uint32_t>, std::vector<uint32_t>> key;
  static std::shared_ptr<const AllNodes> kept;
  const std::lock_guard lock(guard);
  const std::pair asked(torus.sides(), torus.strides());
  if (!kept || key != asked) {
    kept = std::make_shared<const AllNodes>(torus);
    key = asked;
  }
  return kept;
}

}  // namespace

LevelTree level_tree(const TorusClasses& torus, uint32_t levels) {
  return kept_tree<LevelTree>(torus, levels, [&] {
    if (std::optional<LevelTree> stored = stored_tree(torus, levels)) return *std::move(stored);
    const std::shared_ptr<const AllNodes> nodes = all_nodes(torus);
    const TorusLattice& all = nodes->lattice;
    const LevelSearchEffort effort = moderate(torus, levels);
    NearestSearch search(torus, all, nodes->quotient, levels);
    Levels found = search.find(effort);
    if (levels <= kFewLevels) {
      const std::vector<uint32_t> grids = levels_by_grids(torus, levels);
      std::vector<uint32_t> of_cosets(grids.size());
      for (uint32_t v = 0; v < grids.size(); ++v) of_cosets[all.coset(v)] = grids[v];
      search.improve(std::move(of_cosets), effort.moves, kNearestFirst, found);
    }
    improve_from_hubs(nodes->quotient, levels, effort, search, found);
    return tree_of(torus, found, levels);
  });
}

std::optional<LevelTree> near_level_tree(const TorusClasses& torus, uint32_t levels) {
  return kept_tree<std::optional<LevelTree>>(torus, levels, [&] {
    return near_level_tree(torus, TorusLattice(torus, {}), levels, moderate(torus, levels));
  });
}

}  // namespace quadrille
