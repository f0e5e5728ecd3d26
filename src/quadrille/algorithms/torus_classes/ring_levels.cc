#include "quadrille/algorithms/torus_classes/ring_levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "quadrille/algorithms/torus_classes/cooling.h"
#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// A hop is worth two to four of what is added up.
constexpr Cooling kRingCooling{.hot = kCertain * 9 / 10, .cold = kCertain / 8};
// What a node costs which nothing leads to.
constexpr uint64_t kNotReached = 32;
constexpr uint32_t kMostNodesOfRings = 32;
// Many short searches: what they end in differs much.
constexpr uint32_t kStarts = 16;
constexpr uint64_t kWork = uint64_t{1} << 18U;

// Nodes by their places on the ring.
class RingSearch {
 public:
  RingSearch(uint32_t size, uint32_t levels) : size_(size), level_(size, 0), ways_(levels + 1) {}

  void find() {
    for (uint32_t seed = 1; seed <= kStarts; ++seed) find(seed, kWork / size_);
  }
  [[nodiscard]] bool has_found() const { return best_ < UINT64_MAX; }

  // Of what was found, for every place but the first: its level, and how it is reached.
  [[nodiscard]] const std::vector<uint32_t>& levels() const { return best_levels_; }
  [[nodiscard]] uint32_t way_to(uint32_t v) const { return best_ways_[v]; }

 private:
  using Ways = std::array<uint32_t, 2>;

  void find(uint64_t seed, uint64_t moves) {
    Rng rng(seed);
    const auto levels = static_cast<uint32_t>(ways_.size() - 1);
    const auto any_way = [&] { return static_cast<uint32_t>(1 + rng.below(size_ - 1)); };
    const auto any_level = [&] { return static_cast<uint32_t>(1 + rng.below(levels)); };
    for (uint32_t v = 1; v < size_; ++v) level_[v] = any_level();
    for (Ways& ways : ways_) {
      ways[0] = static_cast<uint32_t>(1 + rng.below(std::min(8U, size_ - 1)));
      ways[1] = size_ - ways[0];
    }
    uint64_t cost = look();
    for (uint64_t move = 0; move < moves; ++move) {
      const uint32_t v = any_way();
      const uint32_t t = any_level();
      const uint32_t level = level_[v];
      const Ways ways = ways_[t];
      const size_t kind = rng.below(size_);
      if (kind > 1) {
        level_[v] = t;
      } else if (kind == 1) {
        ways_[t][rng.below(2)] = any_way();
      } else {
        ways_[t][0] = any_way();
        ways_[t][1] = size_ - ways_[t][0];
      }
      const uint64_t now = look();
      if (now > cost && !kRingCooling.keeps(now - cost, move, moves, rng)) {
        level_[v] = level;
        ways_[t] = ways;
        continue;
      }
      cost = now;
      if (cost >= best_ || unreached_ > 0) continue;
      best_ = cost;
      best_levels_ = level_;
      best_ways_ = way_to_;
    }
  }

  [[nodiscard]] bool leads(uint32_t way, uint32_t v) const {
    const uint32_t from = v >= way ? v - way : v + size_ - way;
    return level_[from] < level_[v];
  }

  // What the busier direction carries counts most, in all levels, but the other as well: else few moves make a difference. Who is
  // reached in both ways takes the direction that has less to do.
  [[nodiscard]] uint64_t look() {
    way_to_.assign(size_, 0);
    unreached_ = 0;
    uint64_t out = 0;
    for (uint32_t t = 1; t < ways_.size(); ++t) {
      std::array<uint64_t, 2> load{};
      either_.clear();
      for (uint32_t v = 1; v < size_; ++v) {
        if (level_[v] != t) continue;
        const bool first = leads(ways_[t][0], v);
        const bool second = leads(ways_[t][1], v);
        if (first && second) {
          either_.push_back(v);
        } else if (first || second) {
          go(v, ways_[t][first ? 0 : 1], load);
        } else {
          ++unreached_;
        }
      }
      for (const uint32_t v : either_) {
        const auto with = [&](uint32_t way) {
          std::array<uint64_t, 2> then = load;
          add(way, then);
          return std::max(then[0], then[1]);
        };
        go(v, ways_[t][with(ways_[t][0]) <= with(ways_[t][1]) ? 0 : 1], load);
      }
      out += 2 * std::max(load[0], load[1]) + (load[0] + load[1]);
    }
    return out + kNotReached * unreached_;
  }

  void add(uint32_t way, std::array<uint64_t, 2>& load) const {
    const bool left = 2 * way > size_;
    load[left ? 1 : 0] += left ? size_ - way : way;
  }

  void go(uint32_t v, uint32_t way, std::array<uint64_t, 2>& load) {
    way_to_[v] = way;
    add(way, load);
  }

  uint32_t size_;
  std::vector<uint32_t> level_;     // per place
  std::vector<Ways> ways_;          // per level
  std::vector<uint32_t> way_to_{};  // per place
  std::vector<uint32_t> either_{};
  uint32_t unreached_ = 0;
  uint64_t best_ = UINT64_MAX;
  std::vector<uint32_t> best_levels_{};
  std::vector<uint32_t> best_ways_{};
};

// Whoever asks once asks again, for other numbers of pieces: there are few such rings.
const RingSearch& kept_search(uint32_t size, uint32_t levels) {
  static std::mutex guard;
  static std::map<std::pair<uint32_t, uint32_t>, RingSearch> kept;
  const std::lock_guard lock(guard);
  const auto [at, is_new] = kept.try_emplace({size, levels}, size, levels);
  if (is_new) at->second.find();
  return at->second;
}

}  // namespace

uint64_t busier_direction(const TorusClasses& ring, const LevelTree& tree, uint32_t level) {
  std::array<uint64_t, 2> load{};
  for (const LevelTree::Edge& edge : tree.edges) {
    if (edge.level != level) continue;
    const uint32_t displacement = ring.moved(edge.to, ring.back(edge.from));
    load[2 * (displacement / ring.strides().front()) > ring.num_nodes() ? 1 : 0] += ring.length(displacement);
  }
  return std::max(load[0], load[1]);
}

uint64_t busier_direction(const TorusClasses& ring, const LevelTree& tree) {
  uint64_t out = 0;
  for (uint32_t level = 1; level <= tree.levels; ++level) out += busier_direction(ring, tree, level);
  return out;
}

std::optional<LevelTree> ring_level_tree(const TorusClasses& torus, uint32_t levels) {
  const uint32_t size = torus.num_nodes();
  uint64_t most = 1;
  for (uint32_t t = 0; t < levels && most < size; ++t) most *= 3;
  if (torus.sides().size() != 1 || size < 3 || size > kMostNodesOfRings || most < size) return std::nullopt;
  const RingSearch& search = kept_search(size, levels);
  if (!search.has_found()) return std::nullopt;
  const uint32_t stride = torus.strides().front();
  LevelTree out{.levels = levels, .edges = {}};
  for (uint32_t level = 1; level <= levels; ++level) {
    for (uint32_t v = 1; v < size; ++v) {
      if (search.levels()[v] != level) continue;
      const uint32_t from = (v + size - search.way_to(v)) % size;
      out.edges.push_back({level, from * stride, v * stride});
    }
  }
  return out;
}

}  // namespace quadrille
