#include "quadrille/algorithms/graphs/level_routes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "quadrille/algorithms/graphs/over_lanes.h"
#include "quadrille/algorithms/graphs/translated_messages.h"
#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodesOfGroup = 1U << 16U;
constexpr uint64_t kLevelWork = 100'000'000;  // links that are looked at, about
constexpr uint64_t kLevelWorkOfPass = 4'000'000;
constexpr uint64_t kFewestLevelPasses = 6;
constexpr uint64_t kMostLevelPasses = 60;
constexpr uint64_t kLevelWorkOfSpread = 2'000'000;
constexpr uint64_t kFewestPassesOfSpread = 3;  // ways that are even from the start
constexpr uint64_t kMostPassesOfSpread = 16;
constexpr uint64_t kLevelWorkOfAllPasses = 60'000'000;
constexpr uint32_t kBlocksOfSearch = 8;  // at least so many share a search for ways
constexpr double kFirstSharpness = 8.0;
constexpr double kLastSharpness = 400.0;
// Prices are rounded, so that the last digit of a machine's exp() does not matter.
constexpr double kLevelPriceUnit = 1048576.0;
constexpr double kMostPrice = 1125899906842624.0;
constexpr uint64_t kUnreached = UINT64_MAX / 4;
constexpr uint32_t kMostKnownLoad = 1U << 16U;

}  // namespace

class LevelPricing {
 public:
  LevelPricing(const Problem& problem, LevelRoutes& out)
      : topology_(problem.topology()), out_(out), levels_(out.levels_), nodes_(topology_.num_nodes()) {
    if (out.translated_) {
      const CayleyStructure& cayley = *topology_.cayley();
      num_links_ = static_cast<uint32_t>(cayley.generators.size());
      for (uint32_t k = 0; k < num_links_; ++k)
        capacity_.push_back(topology_.capacity(cayley.arc(NodeId{0}, k)));
      sources_ = {NodeId{0}};
    } else {
      num_links_ = topology_.num_arcs();
      capacity_.assign(topology_.capacities().begin(), topology_.capacities().end());
      sources_.assign(topology_.endpoints().begin(), topology_.endpoints().end());
    }
    list_ways_in();
    load_.assign(size_t{levels_} * num_links_, 0);
    price_.assign(load_.size(), 0);
    top_.assign(levels_, 1);
    share_.assign(levels_, 1);
    price_of_load_.assign(levels_, {});
    alike_ = std::adjacent_find(capacity_.begin(), capacity_.end(), std::not_equal_to<>()) == capacity_.end();
    reach_.assign(size_t{levels_ + 1} * nodes_, kUnreached);
    out_.hops_.assign(
        (out_.translated_ ? topology_.num_endpoints() : problem.collective().num_blocks()) * size_t{levels_},
        0);
    list_wanted(problem);
    find_least();
  }

  void run() {
    if (levels_ == 0) return;
    const uint64_t search = uint64_t{levels_} * ways_.size();
    const uint64_t blocks = topology_.num_endpoints();
    const uint64_t most_searches = std::max<uint64_t>(1, blocks / kBlocksOfSearch);
    const uint64_t searches =
        std::clamp<uint64_t>(kLevelWorkOfPass / (search * sources_.size() + 1), 1, most_searches);
    const bool is_spread = out_.translated_ && LevelRoutes::are_spread(topology_, levels_);
    const uint64_t passes =
        is_spread ? std::clamp(kLevelWorkOfAllPasses / search, kFewestPassesOfSpread, kMostPassesOfSpread)
                  : std::clamp(kLevelWork / (search * sources_.size() * searches + 1), kFewestLevelPasses,
                               kMostLevelPasses);
    Rng rng(nodes_ + levels_);
    std::vector<uint32_t> best;
    uint64_t least_so_far = UINT64_MAX;
    if (is_spread) {
      spread(rng);
      least_so_far = sum_of_levels();
      best = out_.hops_;
    }
    for (uint64_t pass = 0; pass < passes && least_so_far > least_; ++pass) {
      const double part = passes == 1 ? 1.0 : static_cast<double>(pass) / static_cast<double>(passes - 1);
      sharpness_ = kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, part);
      set_prices();
      std::vector<uint32_t> order(sources_.size());
      std::iota(order.begin(), order.end(), 0U);
      rng.shuffle(order);
      for (const uint32_t source : order) route_from(source, searches, pass == 0 && !is_spread, rng);
      const uint64_t rounds = sum_of_levels();
      if (rounds >= least_so_far) continue;
      least_so_far = rounds;
      best = out_.hops_;
    }
    out_.hops_ = std::move(best);
    count_loads();
    while (sum_of_levels() > least_ && lower_a_level()) {
    }
    finish();
  }

 private:
  struct Way {
    uint32_t from;
    uint32_t link;
  };
  // Every block of the one source takes one of its shortest ways, each as likely as another, and its hops lie evenly over the
  // levels: so what a level has to do is about the same for all.
  void spread(Rng& rng) {
    const std::vector<uint32_t> away = distances_from(topology_, sources_[0]);
    std::vector<uint32_t> by_distance(nodes_);
    std::iota(by_distance.begin(), by_distance.end(), 0U);
    std::ranges::stable_sort(by_distance, {}, [&](uint32_t v) { return away[v]; });
    std::vector<double> ways_to(nodes_, 0);
    ways_to[index(sources_[0])] = 1;
    for (const uint32_t v : by_distance)
      for (uint32_t w = first_way_[v]; w < first_way_[v + 1]; ++w)
        if (away[ways_[w].from] + 1 == away[v]) ways_to[v] += ways_to[ways_[w].from];
    constexpr uint64_t kParts = uint64_t{1} << 20U;
    for (uint32_t t = 0; t < topology_.num_endpoints(); ++t) {
      auto v = static_cast<uint32_t>(index(topology_.endpoints()[t]));
      const std::span<uint32_t> way = hops_of(t);
      const uint64_t hops = away[v];
      const uint64_t phase = rng.below(kParts);
      for (uint64_t i = hops; i-- > 0;) {
        const uint64_t level = (i * kParts + phase) * levels_ / (hops * kParts);
        double chosen = static_cast<double>(rng.below(kParts)) / static_cast<double>(kParts) * ways_to[v];
        uint32_t w = first_way_[v];
        for (uint32_t next = w; next < first_way_[v + 1]; ++next) {
          if (away[ways_[next].from] + 1 != away[v]) continue;
          w = next;
          chosen -= ways_to[ways_[w].from];
          if (chosen < 0) break;
        }
        way[level] = ways_[w].link + 1;
        ++load_[at(static_cast<uint32_t>(level), ways_[w].link)];
        v = ways_[w].from;
      }
    }
  }

  // A block of a source, by its number (of a Cayley graph: by its target's), and where it is wanted.
  struct Wanted {
    uint32_t block;
    NodeId target;
  };
  // What a block's way was.
  struct Moved {
    uint32_t block;
    std::vector<uint32_t> way;
  };

  // What each source has for others.
  void list_wanted(const Problem& problem) {
    wanted_.assign(sources_.size(), {});
    if (out_.translated_) {
      for (uint32_t t = 0; t < topology_.num_endpoints(); ++t)
        if (topology_.endpoints()[t] != sources_[0]) wanted_[0].push_back({t, topology_.endpoints()[t]});
      return;
    }
    const Collective& collective = problem.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const BlockId block{b};
      if (collective.origin(block) != collective.destination(block))
        wanted_[index(collective.origin(block))].push_back({b, problem.destination(block)});
    }
  }

  // Ways into each node, one after another.
  void list_ways_in() {
    std::vector<std::vector<Way>> into(nodes_);
    if (out_.translated_) {
      const CayleyStructure& cayley = *topology_.cayley();
      for (uint32_t x = 0; x < nodes_; ++x) {
        for (uint32_t k = 0; k < num_links_; ++k)
          into[index(topology_.head(cayley.arc(NodeId{x}, k)))].push_back({x, k});
      }
    } else {
      for (const ArcId arc : topology_.arcs()) {
        into[index(topology_.head(arc))].push_back(
            {static_cast<uint32_t>(index(topology_.tail(arc))), static_cast<uint32_t>(index(arc))});
      }
    }
    first_way_.assign(1, 0);
    for (const std::vector<Way>& ways : into) {
      ways_.insert(ways_.end(), ways.begin(), ways.end());
      first_way_.push_back(static_cast<uint32_t>(ways_.size()));
    }
  }

  // No levels have a smaller sum: every hop takes a share of some link.
  void find_least() {
    uint64_t hops = 0;
    for (size_t source = 0; source < sources_.size(); ++source) {
      const std::vector<uint32_t> row = distances_from(topology_, sources_[source]);
      for (const Wanted& wanted : wanted_[source]) hops += row[index(wanted.target)];
    }
    const uint64_t all = std::accumulate(capacity_.begin(), capacity_.end(), uint64_t{0});
    least_ = all == 0 ? 0 : (hops + all - 1) / all;
  }

  [[nodiscard]] size_t at(uint32_t level, uint32_t link) const { return size_t{level} * num_links_ + link; }
  [[nodiscard]] std::span<uint32_t> hops_of(uint32_t block) {
    return std::span(out_.hops_).subspan(size_t{block} * levels_, levels_);
  }

  [[nodiscard]] uint64_t rounds_of(uint32_t level) const {
    uint64_t most = 0;
    for (uint32_t link = 0; link < num_links_; ++link)
      most = std::max<uint64_t>(most, (load_[at(level, link)] + capacity_[link] - 1) / capacity_[link]);
    return most;
  }
  [[nodiscard]] uint64_t sum_of_levels() const {
    uint64_t sum = 0;
    for (uint32_t l = 0; l < levels_; ++l) sum += rounds_of(l);
    return sum;
  }

  [[nodiscard]] double weight(uint32_t level, uint32_t link) const {
    const double over =
        static_cast<double>(load_[at(level, link)]) / (static_cast<double>(capacity_[link]) * top_[level]) -
        1.0;
    return std::exp(sharpness_ * std::clamp(over, -1.0, 0.1));
  }
  [[nodiscard]] uint64_t price(uint32_t level, uint32_t link) const {
    const double exact =
        kLevelPriceUnit * weight(level, link) / (static_cast<double>(capacity_[link]) * share_[level]);
    return 1 + static_cast<uint64_t>(std::llround(std::min(exact, kMostPrice)));
  }
  // While prices are set a link's depends on its load alone, where all links have the same capacity: it is worked out once.
  void set_price(uint32_t level, uint32_t link) {
    const uint32_t load = load_[at(level, link)];
    if (!alike_ || load >= kMostKnownLoad) {
      price_[at(level, link)] = price(level, link);
      return;
    }
    std::vector<uint64_t>& known = price_of_load_[level];
    if (load >= known.size()) known.resize(load + size_t{1}, 0);
    if (known[load] == 0) known[load] = price(level, link);
    price_[at(level, link)] = known[load];
  }
  void set_prices() {
    const double fair = static_cast<double>(least_) / levels_;
    for (uint32_t l = 0; l < levels_; ++l) {
      top_[l] = std::max({1.0, fair, static_cast<double>(rounds_of(l))});
      share_[l] = 0;
      for (uint32_t link = 0; link < num_links_; ++link) share_[l] += weight(l, link);
      share_[l] = std::max(share_[l], 1.0);  // a level with nothing to do is cheap
      price_of_load_[l].clear();
      for (uint32_t link = 0; link < num_links_; ++link) set_price(l, link);
    }
  }

  // reach_: what it costs at least to be at each node after each level.
  void search_from(NodeId source) {
    std::fill(reach_.begin(), reach_.begin() + nodes_, kUnreached);
    reach_[index(source)] = 0;
    for (uint32_t l = 0; l < levels_; ++l) {
      const uint64_t* before = reach_.data() + size_t{l} * nodes_;
      uint64_t* after = reach_.data() + size_t{l + 1} * nodes_;
      const uint64_t* price = price_.data() + at(l, 0);
      for (uint32_t v = 0; v < nodes_; ++v) {
        uint64_t best = before[v];
        for (uint32_t w = first_way_[v]; w < first_way_[v + 1]; ++w)
          best = std::min(best, before[ways_[w].from] + price[ways_[w].link]);
        after[v] = best;
      }
    }
  }

  // The cheapest way to a node, as searched.
  void trace(NodeId target, std::span<uint32_t> way) const {
    auto v = static_cast<uint32_t>(index(target));
    for (uint32_t l = levels_; l > 0; --l) {
      const uint64_t* before = reach_.data() + size_t{l - 1} * nodes_;
      const uint64_t here = reach_[size_t{l} * nodes_ + v];
      way[l - 1] = 0;
      if (before[v] == here) continue;
      for (uint32_t w = first_way_[v]; w < first_way_[v + 1]; ++w) {
        if (before[ways_[w].from] + price_[at(l - 1, ways_[w].link)] != here) continue;
        way[l - 1] = ways_[w].link + 1;
        v = ways_[w].from;
        break;
      }
      QUADRILLE_CHECK(way[l - 1] != 0, "a price changed between the search and its trace");
    }
  }

  [[nodiscard]] uint64_t price_of(std::span<const uint32_t> way) const {
    uint64_t sum = 0;
    for (uint32_t l = 0; l < levels_; ++l)
      if (way[l] != 0) sum += price_[at(l, way[l] - 1)];
    return sum;
  }
  void load(std::span<const uint32_t> way, bool more) {
    for (uint32_t l = 0; l < levels_; ++l) {
      if (way[l] == 0) continue;
      more ? ++load_[at(l, way[l] - 1)] : --load_[at(l, way[l] - 1)];
      set_price(l, way[l] - 1);
    }
  }

  void route_from(uint32_t source, uint64_t searches, bool first, Rng& rng) {
    std::vector<Wanted> mine = wanted_[source];
    if (mine.empty()) return;
    rng.shuffle(mine);
    std::vector<uint32_t> ways(mine.size() * levels_);
    for (uint64_t part = 0; part < searches; ++part) {
      const size_t begin = mine.size() * part / searches;
      const size_t end = mine.size() * (part + 1) / searches;
      search_from(sources_[source]);
      // All ways before any price moves.
      for (size_t i = begin; i < end; ++i)
        trace(mine[i].target, std::span(ways).subspan(i * levels_, levels_));
      for (size_t i = begin; i < end; ++i) {
        const std::span<const uint32_t> way = std::span(ways).subspan(i * levels_, levels_);
        const std::span<uint32_t> present = hops_of(mine[i].block);
        if (!first) {
          load(present, false);
          if (price_of(present) <= price_of(way)) {
            load(present, true);
            continue;
          }
        }
        std::copy(way.begin(), way.end(), present.begin());
        load(present, true);
      }
    }
  }

  void change_load(std::span<const uint32_t> way, int by) {
    for (uint32_t l = 0; l < levels_; ++l)
      if (way[l] != 0) load_[at(l, way[l] - 1)] += static_cast<uint32_t>(by);
  }
  void count_loads() {
    std::fill(load_.begin(), load_.end(), 0);
    for (size_t i = 0; i < out_.hops_.size(); i += levels_)
      change_load(std::span(out_.hops_).subspan(i, levels_), 1);
  }

  // One block less over the busiest links of a level, and no level longer: blocks that cross them go where links have
  // room. False where no level can be lowered so, and then nothing is changed.
  bool lower_a_level() {
    for (uint32_t l = 0; l < levels_; ++l) {
      if (rounds_of(l) == 0) continue;
      moved_.clear();
      if (lower(l)) return true;
      for (size_t i = moved_.size(); i-- > 0;) {
        const std::span<uint32_t> present = hops_of(moved_[i].block);
        change_load(present, -1);
        std::copy(moved_[i].way.begin(), moved_[i].way.end(), present.begin());
        change_load(present, 1);
      }
    }
    return false;
  }

  bool lower(uint32_t level) {
    std::vector<uint64_t> most(levels_);
    for (uint32_t l = 0; l < levels_; ++l) most[l] = rounds_of(l) - (l == level ? 1 : 0);
    const auto room_price = [&](uint32_t l, uint32_t link) {
      return load_[at(l, link)] < most[l] * capacity_[link] ? uint64_t{1} : kUnreached / (2 * levels_);
    };
    for (uint32_t l = 0; l < levels_; ++l)
      for (uint32_t link = 0; link < num_links_; ++link) price_[at(l, link)] = room_price(l, link);
    std::vector<uint32_t> way(levels_);
    for (uint32_t source = 0; source < sources_.size(); ++source) {
      for (const Wanted& wanted : wanted_[source]) {
        const std::span<uint32_t> present = hops_of(wanted.block);
        if (present[level] == 0) continue;
        const uint32_t link = present[level] - 1;
        if (load_[at(level, link)] <= most[level] * capacity_[link]) continue;
        const auto add = [&](std::span<const uint32_t> some, bool more) {
          for (uint32_t l = 0; l < levels_; ++l) {
            if (some[l] == 0) continue;
            more ? ++load_[at(l, some[l] - 1)] : --load_[at(l, some[l] - 1)];
            price_[at(l, some[l] - 1)] = room_price(l, some[l] - 1);
          }
        };
        if (work_left_ < ways_.size() * levels_) return false;
        work_left_ -= ways_.size() * levels_;
        add(present, false);
        search_from(sources_[source]);
        const NodeId end = wanted.target;
        if (reach_[size_t{levels_} * nodes_ + index(end)] >= kUnreached / (2 * levels_)) {
          add(present, true);
          continue;
        }
        trace(end, way);
        moved_.push_back({wanted.block, {present.begin(), present.end()}});
        std::copy(way.begin(), way.end(), present.begin());
        add(present, true);
      }
    }
    return rounds_of(level) <= most[level];
  }

  void finish() {
    out_.rounds_ = sum_of_levels();
    for (uint32_t l = 0; l < levels_; ++l) out_.steps_ += rounds_of(l) > 0 ? 1 : 0;
    for (uint32_t link = 0; link < num_links_; ++link) {
      uint64_t blocks = 0;
      for (uint32_t l = 0; l < levels_; ++l) blocks += load_[at(l, link)];
      out_.busiest_link_ = std::max(out_.busiest_link_, blocks);
    }
  }

  const Topology& topology_;
  LevelRoutes& out_;
  uint32_t levels_;
  uint32_t nodes_;
  uint32_t num_links_ = 0;
  std::vector<uint32_t> capacity_;
  std::vector<NodeId> sources_;
  std::vector<std::vector<Wanted>> wanted_;  // by source
  std::vector<Way> ways_;
  std::vector<uint32_t> first_way_;
  std::vector<uint32_t> load_;                          // by level and link
  std::vector<uint64_t> price_;                         // by level and link
  std::vector<double> top_;                             // by level: rounds, when prices were set
  std::vector<double> share_;                           // by level: sum of the weights
  std::vector<std::vector<uint64_t>> price_of_load_{};  // by level and load; 0: not worked out yet
  bool alike_ = false;                                  // all links have the same capacity
  std::vector<uint64_t> reach_;                         // by level and node
  std::vector<Moved> moved_;
  uint64_t work_left_ = kLevelWork;  // for lowering levels
  double sharpness_ = kFirstSharpness;
  uint64_t least_ = 0;
};

bool LevelRoutes::are_spread(const Topology& topology, uint32_t levels) {
  return topology.cayley() != nullptr && !topology.has_routers() &&
         uint64_t{levels} * topology.num_arcs() > kLevelWorkOfSpread;
}

LevelRoutes::LevelRoutes(const Problem& problem, uint32_t levels)
    : levels_(levels),
      translated_(problem.collective().counts() == nullptr && problem.topology().cayley() != nullptr &&
                  !problem.topology().has_routers()) {
  QUADRILLE_CHECK(!translated_ || problem.topology().num_nodes() <= kMostNodesOfGroup,
                  "products of two elements are kept in 16 bits");
  LevelPricing(problem, *this).run();
}

void LevelRoutes::generate(const Problem& problem, StepSink& sink) const {
  if (translated_) return push_translated_messages(problem, hops_, levels_, sink);
  StepBuilder step;
  for (uint32_t l = 0; l < levels_; ++l) {
    generate_level(problem, l, step);
    if (!step.empty()) step.flush(sink);
  }
}

void LevelRoutes::generate_level(const Problem& problem, uint32_t level, StepBuilder& step) const {
  const Topology& topology = problem.topology();
  const uint32_t num_blocks = problem.collective().num_blocks();
  std::vector<uint32_t> begin(topology.num_arcs() + size_t{1}, 0);
  for (size_t b = 0; b < num_blocks; ++b) ++begin[hops_[b * levels_ + level]];
  begin[0] = 0;
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<BlockId> blocks(begin.back());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t b = 0; b < num_blocks; ++b) {
    const uint32_t hop = hops_[size_t{b} * levels_ + level];
    if (hop != 0) blocks[next[hop - 1]++] = BlockId{b};
  }
  for (const ArcId arc : topology.arcs()) {
    const uint32_t first = begin[index(arc)];
    const uint32_t end = begin[index(arc) + 1];
    if (first < end) add_over_lanes(problem, arc, std::span(blocks).subspan(first, end - first), step);
  }
}

}  // namespace quadrille
