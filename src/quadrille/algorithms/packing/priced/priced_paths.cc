#include "quadrille/algorithms/packing/priced/priced_paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/priced/unload_paths.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/collective/counts.h"
#include "quadrille/transforms/slots/path_resources.h"

namespace quadrille {
namespace {

constexpr uint64_t kPricingWork = 120'000'000;  // hops that are looked at, about
// Of 17 million hops and more; with three passes 4,096 nodes stay 2 % above the bound.
constexpr int kFewestPricings = 7;
constexpr int kMostPricings = 30;
constexpr int kMostPricingsEver = 1000;
constexpr int kPricingPatience = 9;
// Once searches are stopped: some passes more, in which prices rise to the end. The first paths alone are up to half above the bound.
constexpr uint64_t kWorkOnceStopped = 30'000'000;
constexpr uint64_t kMostOnceStopped = 4;
constexpr uint64_t kMostLoadsKept = 1U << 20U;
// Blocks of a pair in each search of its source, and searches at most.
constexpr size_t kPartOfCount = 8;
constexpr size_t kMostPartsOfCount = 8;
// Steps; blocks, whose paths are there twice; and links that are looked at.
constexpr uint64_t kManyToUnload = 100;
constexpr size_t kMostBlocksToUnload = size_t{1} << 19U;
constexpr uint64_t kUnloadingWork = 60'000'000;
constexpr double kPriceUnit = 1'048'576.0;

}  // namespace

class PathPricing {
 public:
  explicit PathPricing(const Problem& problem)
      : problem_(problem),
        topology_(problem.topology()),
        resources_(problem),
        load_(resources_.size(), 0),
        price_(resources_.size(), 0),
        of_source_(topology_.num_endpoints()) {
    const Collective& collective = problem.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const BlockId block{b};
      if (collective.origin(block) == collective.destination(block)) continue;
      of_source_[index(collective.origin(block))].push_back(static_cast<uint32_t>(blocks_.size()));
      blocks_.push_back(block);
    }
    paths_.resize(blocks_.size());
    is_leaf_.assign(topology_.num_nodes(), 0);
    for (const NodeId v : topology_.nodes())
      is_leaf_[index(v)] = static_cast<char>(topology_.out_degree(v) == 1 && !topology_.is_directed());
    is_given_.assign(resources_.size(), 0);
    for (const ArcId arc : topology_.arcs())
      if (is_leaf_[index(topology_.tail(arc))] != 0 || is_leaf_[index(topology_.head(arc))] != 0)
        resources_.of(arc, [&](size_t r) { is_given_[r] = 1; });
    // Resources are shared by links that are given and links that are chosen where ports are few.
    for (const ArcId arc : topology_.arcs())
      if (is_leaf_[index(topology_.tail(arc))] == 0 && is_leaf_[index(topology_.head(arc))] == 0)
        resources_.of(arc, [&](size_t r) { is_given_[r] = 0; });
  }

  void run(PricedPaths& out) {
    std::vector<uint32_t> sources;
    for (uint32_t r = 0; r < of_source_.size(); ++r)
      if (!of_source_[r].empty()) sources.push_back(r);
    if (!sources.empty()) {
      least_ = std::max<uint64_t>(1, least_by_distance());
      route(sources);
      unload();
    }
    out.blocks_ = std::move(blocks_);
    out.begin_.assign(1, 0);
    for (const std::vector<ArcId>& path : best_) {
      out.arcs_.insert(out.arcs_.end(), path.begin(), path.end());
      out.begin_.push_back(out.arcs_.size());
    }
    out.busiest_ = best_busiest_;
    out.least_ = least_;
  }

 private:
  void route(std::vector<uint32_t>& sources) {
    best_busiest_ = UINT64_MAX;
    best_chosen_ = UINT64_MAX;
    level_ = static_cast<double>(least_);
    int passes = kMostPricings;
    // Where routers are short of blocks in the first and the last steps, or a large count has far to go, a bound on steps says more
    // than one on loads.
    const bool is_starved = (topology_.has_routers() || problem_.collective().counts() != nullptr) &&
                            SearchLimits::now().gap <= 0;
    const uint64_t good_enough = is_starved ? least_ : good_enough_steps(problem_, least_);
    const auto most_passes =
        static_cast<int>(std::min<uint64_t>(SearchLimits::work(kMostPricings), kMostPricingsEver));
    int without = 0;
    uint64_t once_stopped = kMostOnceStopped;
    bool is_last = false;
    // Where prices have found nothing for long, they rise faster.
    const auto rise = [&](int pass) {
      if (!searches_are_stopped()) return without >= kPricingPatience ? 3 : 1;
      is_last = once_stopped == 0;
      return std::max(1, (passes - 1 - pass) / static_cast<int>(std::max<uint64_t>(1, once_stopped--)));
    };
    for (int pass = 0; pass < passes && !is_last; pass += rise(pass), ++without) {
      sharpness_ = 8.0 * std::pow(25.0, static_cast<double>(pass) / passes);
      forget_prices();
      for (size_t r = 0; r < load_.size(); ++r) set_price(r);
      rng_.shuffle(sources);
      for (const uint32_t source : sources) reroute_from(source);
      const uint64_t now = busiest();
      if (pass == 0) {
        const uint64_t work = std::accumulate(
            paths_.begin(), paths_.end(), uint64_t{1},
            [](uint64_t sum, const std::vector<ArcId>& path) { return sum + path.size() + 1; });
        passes = static_cast<int>(
            std::clamp<uint64_t>(SearchLimits::work(kPricingWork) / work,
                                 static_cast<uint64_t>(std::min(kFewestPricings, most_passes)),
                                 static_cast<uint64_t>(most_passes)));
        once_stopped = std::min(kMostOnceStopped, kWorkOnceStopped / work);
      }
      // Where hosts with one link are the limit, the links between switches are balanced all the same: each slot that they have to
      // spare is one for a packet that comes late.
      const uint64_t chosen = busiest_chosen();
      const double floor = hosts_ == now ? 0 : static_cast<double>(least_);
      level_ = std::max(floor, 0.999 * static_cast<double>(chosen));
      if (now > best_busiest_ || (now == best_busiest_ && chosen >= best_chosen_)) continue;
      best_busiest_ = now;
      best_chosen_ = chosen;
      best_ = paths_;
      without = -1;
      tell_paths_found(problem_, now);
      if (now <= good_enough && hosts_ != now) return;
    }
  }

  // Where one step less is worth the while.
  void unload() {
    if (best_busiest_ > kManyToUnload || blocks_.size() > kMostBlocksToUnload) return;
    if (WorthMaking::is_asked_in_passing()) return;
    const uint64_t good_enough = good_enough_steps(problem_, least_);
    const uint64_t work = SearchLimits::work(kUnloadingWork);
    while (best_busiest_ > good_enough && unload_paths(problem_, blocks_, best_, best_busiest_ - 1, work))
      tell_paths_found(problem_, --best_busiest_);
  }

  // No paths can do with less: every block goes its distance, leaves its origin and enters its destination.
  [[nodiscard]] uint64_t least_by_distance() {
    std::vector<uint64_t> out(topology_.num_nodes(), 0);
    std::vector<uint64_t> in(topology_.num_nodes(), 0);
    uint64_t hops = 0;
    std::vector<uint32_t> distance;
    std::vector<NodeId> reached;
    for (uint32_t r = 0; r < of_source_.size(); ++r) {
      if (of_source_[r].empty()) continue;
      const NodeId source = topology_.endpoint(Rank{r});
      distance.assign(topology_.num_nodes(), UINT32_MAX);
      distance[index(source)] = 0;
      reached.assign(1, source);
      for (size_t i = 0; i < reached.size(); ++i) {
        for (const ArcId arc : topology_.arcs_from(reached[i])) {
          uint32_t& d = distance[index(topology_.head(arc))];
          if (d != UINT32_MAX) continue;
          d = distance[index(reached[i])] + 1;
          reached.push_back(topology_.head(arc));
        }
      }
      for (const uint32_t i : of_source_[r]) {
        const NodeId target = problem_.destination(blocks_[i]);
        hops += distance[index(target)];
        ++out[index(source)];
        ++in[index(target)];
      }
    }
    const Model& model = problem_.model();
    const auto up = [](uint64_t a, uint64_t b) { return (a + b - 1) / b; };
    uint64_t arcs = 0;
    std::vector<uint64_t> leaving(topology_.num_nodes(), 0);
    std::vector<uint64_t> entering(topology_.num_nodes(), 0);
    for (const ArcId arc : topology_.arcs()) {
      leaving[index(topology_.tail(arc))] += topology_.capacity(arc);
      entering[index(topology_.head(arc))] += topology_.capacity(arc);
      arcs += topology_.capacity(arc);
    }
    uint64_t sends = 0;
    uint64_t receives = 0;
    uint64_t least = 0;
    for (const NodeId v : topology_.nodes()) {
      const size_t i = index(v);
      if (!model.send.unlimited()) leaving[i] = std::min<uint64_t>(leaving[i], model.send.count);
      if (!model.receive.unlimited()) entering[i] = std::min<uint64_t>(entering[i], model.receive.count);
      sends += leaving[i];
      receives += entering[i];
      if (out[i] > 0) least = std::max(least, up(out[i], leaving[i]));
      if (in[i] > 0) least = std::max(least, up(in[i], entering[i]));
    }
    if (model.duplex == Duplex::kHalf && !topology_.is_directed()) arcs /= 2;
    return std::max({least, up(hops, arcs), up(hops, sends), up(hops, receives)});
  }

  [[nodiscard]] uint64_t busiest() const {
    uint64_t most = 0;
    for (size_t r = 0; r < load_.size(); ++r)
      most = std::max(most, (load_[r] + resources_.capacity(r) - 1) / resources_.capacity(r));
    return most;
  }

  // Of what paths choose; apart from it the only links of hosts.
  uint64_t busiest_chosen() {
    uint64_t most = 0;
    hosts_ = 0;
    for (size_t r = 0; r < load_.size(); ++r) {
      uint64_t& busiest = is_given_[r] != 0 ? hosts_ : most;
      busiest = std::max(busiest, (load_[r] + resources_.capacity(r) - 1) / resources_.capacity(r));
    }
    return most;
  }

  // Of a load and a capacity; rounded, so that the last digit of a machine's exp() does not matter.
  [[nodiscard]] uint64_t find_price(uint64_t load, uint64_t of) const {
    const auto capacity = static_cast<double>(of);
    const double over = static_cast<double>(load) / (capacity * level_) - 1.0;
    const double price = kPriceUnit * std::exp(sharpness_ * std::clamp(over, -1.0, 0.1)) / capacity;
    return 1 + static_cast<uint64_t>(std::llround(price));
  }
  // Loads come again and again, mostly over links that are alike: in a pass, those of the first capacity are kept.
  void set_price(size_t r) {
    if (load_[r] >= kMostLoadsKept || resources_.capacity(r) != resources_.capacity(0)) {
      price_[r] = find_price(load_[r], resources_.capacity(r));
      return;
    }
    if (load_[r] >= price_of_load_.size()) price_of_load_.resize(load_[r] + 1, 0);
    uint64_t& kept = price_of_load_[load_[r]];
    if (kept == 0) kept = find_price(load_[r], resources_.capacity(r));
    price_[r] = kept;
  }
  void forget_prices() { std::ranges::fill(price_of_load_, 0); }

  [[nodiscard]] uint64_t price_of(ArcId arc) const {
    uint64_t sum = 0;
    resources_.of(arc, [&](size_t r) { sum += price_[r]; });
    return sum;
  }
  [[nodiscard]] uint64_t price_of(const std::vector<ArcId>& path) const {
    uint64_t sum = 0;
    for (const ArcId arc : path) sum += price_of(arc);
    return sum;
  }
  void change_load(const std::vector<ArcId>& path, bool more) {
    for (const ArcId arc : path) {
      resources_.of(arc, [&](size_t r) {
        load_[r] += more ? 1 : UINT64_MAX;
        set_price(r);
      });
    }
  }

  // The blocks of a source in several parts, each with prices of its own: or the grain is too coarse where
  // there are few sources.
  void reroute_from(uint32_t source) {
    std::vector<uint32_t>& mine = of_source_[source];
    rng_.shuffle(mine);
    const size_t parts =
        std::max(std::clamp<size_t>(3000 / (of_source_.size() + 1), 1, 64), of_large_count(source));
    const size_t most = (mine.size() + parts - 1) / parts;
    for (size_t first = 0; first < mine.size(); first += most) {
      const size_t last = std::min(first + most, mine.size());
      uint64_t limit = 0;
      for (size_t i = first; i < last; ++i) limit = std::max(limit, dear_from(mine[i]));
      search_from(topology_.endpoint(Rank{source}), limit);
      for (size_t i = first; i < last; ++i) reroute(mine[i]);
    }
  }

  // What goes to one destination all takes one path of a search: a large count asks for several.
  [[nodiscard]] size_t of_large_count(uint32_t source) const {
    const Counts* counts = problem_.collective().counts();
    if (counts == nullptr) return 1;
    size_t most = 0;
    for (const Counts::Entry& entry : counts->from(Rank{source}))
      if (index(entry.to) != source) most = std::max<size_t>(most, entry.count);
    return std::min(kMostPartsOfCount, most / kPartOfCount);
  }

  // A path of such a price is as good as the block's own.
  [[nodiscard]] uint64_t dear_from(uint32_t i) const {
    if (paths_[i].empty()) return UINT64_MAX;
    const uint64_t now = price_of(paths_[i]);
    return now - now / 1024;
  }

  void reroute(uint32_t i) {
    std::vector<ArcId>& path = paths_[i];
    const NodeId target = problem_.destination(blocks_[i]);
    if (path.empty()) {
      path_to(target);
      path = offer_;
      change_load(path, true);
      return;
    }
    if (dear_from(i) <= distance_[index(target)]) return;
    path_to(target);
    change_load(path, false);
    if (price_of(offer_) < price_of(path)) path = offer_;
    change_load(path, true);
  }

  // Cheapest paths by the prices now, as far as they are cheaper than the limit; a host with one link is no way to others.
  void search_from(NodeId source, uint64_t limit) {
    distance_.assign(topology_.num_nodes(), UINT64_MAX);
    over_.assign(topology_.num_nodes(), kNoArc);
    distance_[index(source)] = 0;
    queue_.emplace(0, static_cast<uint32_t>(index(source)));
    while (!queue_.empty()) {
      const auto [distance, v] = queue_.top();
      queue_.pop();
      if (distance != distance_[v] || (is_leaf_[v] != 0 && NodeId{v} != source)) continue;
      for (const ArcId arc : topology_.arcs_from(NodeId{v})) {
        const size_t w = index(topology_.head(arc));
        const uint64_t then = distance + price_of(arc);
        if (then >= distance_[w] || then >= limit) continue;
        queue_.emplace(then, static_cast<uint32_t>(w));
        distance_[w] = then;
        over_[w] = arc;
      }
    }
  }
  void path_to(NodeId target) {
    offer_.clear();
    for (NodeId v = target; over_[index(v)] != kNoArc; v = topology_.tail(over_[index(v)]))
      offer_.push_back(over_[index(v)]);
    std::reverse(offer_.begin(), offer_.end());
  }

  const Problem& problem_;
  const Topology& topology_;
  PathResources resources_;
  Rng rng_{1};
  std::vector<BlockId> blocks_;
  std::vector<std::vector<ArcId>> paths_;
  std::vector<std::vector<ArcId>> best_;
  uint64_t best_busiest_ = 0;
  uint64_t best_chosen_ = 0;
  uint64_t hosts_ = 0;
  uint64_t least_ = 0;
  double level_ = 1;
  double sharpness_ = 0;
  std::vector<uint64_t> load_;
  std::vector<uint64_t> price_;
  std::vector<uint64_t> price_of_load_;
  std::vector<std::vector<uint32_t>> of_source_;
  std::vector<char> is_leaf_;
  std::vector<char> is_given_;  // resources of which every block's path takes the same
  std::vector<uint64_t> distance_;
  std::vector<ArcId> over_;
  std::vector<ArcId> offer_;
  using Item = std::pair<uint64_t, uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
};

PricedPaths::PricedPaths(const Problem& problem) { PathPricing(problem).run(*this); }

}  // namespace quadrille
