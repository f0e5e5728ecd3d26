#include "quadrille/algorithms/packing/spread_routes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "quadrille/base/random.h"

namespace quadrille {

// One path after another, until nothing gets better.
class RouteSpreading {
 public:
  explicit RouteSpreading(const Topology& topology)
      : topology_(topology),
        ranks_(topology.num_endpoints()),
        paths_(size_t{ranks_} * ranks_),
        load_(topology.num_nodes(), 0),
        price_(topology.num_nodes(), 0) {
    for (const NodeId v : topology.endpoints()) load_[index(v)] = ranks_ - 1;
  }

  void run(SpreadRoutes& out) {
    std::vector<uint32_t> order;
    for (uint32_t r = 0; r < ranks_; ++r) order.push_back(r);
    std::vector<std::vector<ArcId>> best;
    uint64_t least = UINT64_MAX;
    // The price of a node that is as busy as the busiest doubles sooner and sooner.
    const int passes =
        static_cast<int>(std::clamp<uint64_t>(kMostRouteWork / (paths_.size() + 1), 2, kMostPasses));
    int without = 0;
    for (int pass = 0; pass < passes && without < kRoutePatience; ++pass, ++without) {
      sharpness_ = pass == 0 ? 0 : 8.0 * std::pow(25.0, static_cast<double>(pass) / passes);
      busiest_ = std::max<uint64_t>(1, *std::max_element(load_.begin(), load_.end()));
      for (const NodeId v : topology_.nodes()) set_price(v);
      rng_.shuffle(order);
      for (const uint32_t r : order) reroute_from(Rank{r});
      const uint64_t now = *std::max_element(load_.begin(), load_.end());
      if (now >= least) continue;
      least = now;
      best = paths_;
      without = -1;
    }
    out.ranks_ = ranks_;
    out.busiest_ = least == UINT64_MAX ? 0 : least;
    out.begin_.assign(1, 0);
    for (const std::vector<ArcId>& path : best) {
      out.arcs_.insert(out.arcs_.end(), path.begin(), path.end());
      out.begin_.push_back(out.arcs_.size());
    }
    out.begin_.resize(paths_.size() + 1, out.arcs_.size());
  }

 private:
  static constexpr uint64_t kMostRouteWork = 3'000'000;
  static constexpr uint64_t kMostPasses = 32;
  static constexpr int kRoutePatience = 12;
  static constexpr double kUnit = 65'536.0;

  // Rounded, so that the last digit of a machine's exp() does not matter.
  void set_price(NodeId v) {
    const double full = static_cast<double>(load_[index(v)]) / static_cast<double>(busiest_) - 1.0;
    price_[index(v)] = 1 + static_cast<uint64_t>(std::lround(kUnit * std::exp(sharpness_ * full)));
  }

  // Of the nodes between the ends, which send what passes through them, and a little for every hop.
  [[nodiscard]] uint64_t price_of(const std::vector<ArcId>& path) const {
    uint64_t sum = 0;
    for (size_t h = 1; h < path.size(); ++h) sum += price_[index(topology_.tail(path[h]))];
    return sum;
  }
  void change_load(const std::vector<ArcId>& path, bool more) {
    for (size_t h = 1; h < path.size(); ++h) {
      const NodeId v = topology_.tail(path[h]);
      load_[index(v)] += more ? 1 : UINT64_MAX;
      set_price(v);
    }
  }

  void reroute_from(Rank source) {
    search_from(topology_.endpoint(source));
    for (uint32_t r = 0; r < ranks_; ++r) {
      if (Rank{r} == source) continue;
      std::vector<ArcId>& path = paths_[index(source) * ranks_ + r];
      path_to(topology_.endpoint(Rank{r}));
      if (path.empty()) {
        path = offer_;
        change_load(path, true);
        continue;
      }
      if (price_of(offer_) >= price_of(path)) continue;
      change_load(path, false);
      if (price_of(offer_) < price_of(path)) path = offer_;
      change_load(path, true);
    }
  }

  // Cheapest paths by the prices now; of equal ones chance decides, so that they spread.
  void search_from(NodeId source) {
    using Item = std::pair<uint64_t, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    distance_.assign(topology_.num_nodes(), UINT64_MAX);
    over_.assign(topology_.num_nodes(), kNoArc);
    distance_[index(source)] = 0;
    queue.emplace(0, static_cast<uint32_t>(index(source)));
    while (!queue.empty()) {
      const auto [distance, v] = queue.top();
      queue.pop();
      if (distance != distance_[v]) continue;
      const uint64_t then = distance + (NodeId{v} == source ? 0 : price_[v]) * kHops + 1;
      for (const ArcId arc : topology_.arcs_from(NodeId{v})) {
        const size_t w = index(topology_.head(arc));
        if (then > distance_[w] || (then == distance_[w] && rng_.below(2) == 0)) continue;
        if (then < distance_[w]) queue.emplace(then, static_cast<uint32_t>(w));
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

  static constexpr uint64_t kHops = 1U << 16U;  // more than any path has

  const Topology& topology_;
  uint32_t ranks_;
  Rng rng_{1};
  std::vector<std::vector<ArcId>> paths_;
  std::vector<uint64_t> load_;  // per node: blocks that it sends
  std::vector<uint64_t> price_;
  double sharpness_ = 0;
  uint64_t busiest_ = 1;
  std::vector<uint64_t> distance_;
  std::vector<ArcId> over_;
  std::vector<ArcId> offer_;
};

SpreadRoutes::SpreadRoutes(const Topology& topology) { RouteSpreading(topology).run(*this); }

}  // namespace quadrille
