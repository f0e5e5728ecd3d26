#include "quadrille/algorithms/cayley/balanced_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "quadrille/base/random.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr int kMostRounds = 300;
// So many of them only look at ways that are shortest in hops.
constexpr int kShortestRounds = 10;
// Ways that a displacement remembers.
constexpr size_t kMostOffers = 8;
// The power of the loads that ways are chosen by: from one that spreads to one that sees the maximum only.
constexpr double kFirstPower = 4;
constexpr double kLastPower = 40;

// A generator's position and how many hops along it; ascending.
using Way = std::vector<std::pair<uint32_t, uint32_t>>;

class RouteSearch {
 public:
  explicit RouteSearch(const CayleyStructure& cayley)
      : cayley_(cayley),
        order_(cayley.group->order()),
        degree_(cayley.generators.size()),
        ways_(order_),
        offers_(order_),
        load_(degree_, 0),
        weight_(degree_, 1) {
    // to_[k * order + x]: from x along generator k.
    to_.resize(degree_ * order_);
    for (size_t k = 0; k < degree_; ++k) {
      cayley.group->right_translation(cayley.generators[k],
                                      std::span<uint32_t>(to_).subspan(k * order_, order_));
    }
  }

  DisplacementRoutes run() {
    find_shortest();
    for (uint32_t d = 1; d < order_; ++d) take(d, way_of(d));
    best_ = ways_;
    best_load_ = busiest();
    double bound = lower_bound();
    for (int round = 0; round < kMostRounds && best_load_ > std::ceil(bound - 1e-6); ++round) {
      power_ = kFirstPower + (kLastPower - kFirstPower) * round / kMostRounds;
      set_weights(round);
      find_shortest();
      bound = std::max(bound, lower_bound());
      improve();
      if (busiest() < best_load_) {
        best_load_ = busiest();
        best_ = ways_;
      }
    }
    return legs();
  }

 private:
  // Weights are equal at first, so that ways shortest in hops share the load as well as they can, and follow
  // the loads then; a little noise tells equally short ways apart.
  void set_weights(int round) {
    const double most = busiest();
    for (size_t k = 0; k < degree_; ++k) {
      const double noise = static_cast<double>(rng_.below(1000)) * 1e-7;
      const double follows = std::pow(std::max(load_[k], 0.5) / most, power_ - 1) + 1e-3;
      weight_[k] = (round < kShortestRounds ? 1.0 : follows) + noise;
    }
  }

  // Dijkstra from the identity; last_[x] is the generator of the last hop.
  void find_shortest() {
    distance_.assign(order_, std::numeric_limits<double>::infinity());
    last_.assign(order_, 0);
    distance_[0] = 0;
    using Item = std::pair<double, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    queue.emplace(0.0, 0U);
    while (!queue.empty()) {
      const Item item = queue.top();
      queue.pop();
      if (item.first > distance_[item.second]) continue;
      for (size_t k = 0; k < degree_; ++k) {
        const uint32_t x = to_[k * order_ + item.second];
        if (item.first + weight_[k] >= distance_[x]) continue;
        distance_[x] = item.first + weight_[k];
        last_[x] = static_cast<uint32_t>(k);
        queue.emplace(distance_[x], x);
      }
    }
  }

  // No routes have a smaller busiest load: distances add up to no more than loads times weights.
  [[nodiscard]] double lower_bound() const {
    return std::accumulate(distance_.begin(), distance_.end(), 0.0) /
           std::accumulate(weight_.begin(), weight_.end(), 0.0);
  }

  [[nodiscard]] Way way_of(uint32_t d) const {
    std::vector<uint32_t> hops;
    while (d != 0) {
      hops.push_back(last_[d]);
      d = to_[cayley_.inverses[last_[d]] * order_ + d];
    }
    std::sort(hops.begin(), hops.end());
    Way way;
    for (const uint32_t k : hops) {
      if (way.empty() || way.back().first != k) way.emplace_back(k, 0);
      ++way.back().second;
    }
    return way;
  }

  [[nodiscard]] Way mirrored(const Way& way) const {
    Way out;
    for (const auto& leg : way) out.emplace_back(cayley_.inverses[leg.first], leg.second);
    std::sort(out.begin(), out.end());
    return out;
  }

  void take(uint32_t d, Way way) {
    for (const auto& leg : ways_[d]) load_[leg.first] -= leg.second;
    for (const auto& leg : way) load_[leg.first] += leg.second;
    ways_[d] = std::move(way);
  }

  // How much the sum of powers grows if the way is added to the loads.
  [[nodiscard]] double price(const Way& way) const {
    double sum = 0;
    for (const auto& leg : way)
      sum += std::pow((load_[leg.first] + leg.second) / scale_, power_) -
             std::pow(load_[leg.first] / scale_, power_);
    return sum;
  }

  // Every displacement in turn takes the cheapest way that it has ever been offered.
  void improve() {
    std::vector<uint32_t> turn(order_ - 1);
    std::iota(turn.begin(), turn.end(), 1U);
    rng_.shuffle(turn);
    scale_ = busiest();
    for (const uint32_t d : turn) {
      offer(d, way_of(d));
      offer(d, mirrored(ways_[cayley_.group->inverse(d)]));
      const Way old = ways_[d];
      take(d, {});
      double best = price(old);
      const Way* chosen = &old;
      for (const Way& way : offers_[d]) {
        const double p = price(way);
        if (p >= best * (1 - 1e-12)) continue;
        best = p;
        chosen = &way;
      }
      take(d, *chosen);
    }
  }

  void offer(uint32_t d, Way way) {
    std::vector<Way>& offers = offers_[d];
    if (std::find(offers.begin(), offers.end(), way) != offers.end()) return;
    if (offers.size() < kMostOffers) {
      offers.push_back(std::move(way));
    } else {
      offers[rng_.below(kMostOffers)] = std::move(way);
    }
  }

  [[nodiscard]] double busiest() const { return *std::max_element(load_.begin(), load_.end()); }

  [[nodiscard]] DisplacementRoutes legs() const {
    DisplacementRoutes out;
    for (uint32_t d = 1; d < order_; ++d) {
      for (const auto& leg : best_[d]) out.push_back({d, leg.first, leg.second});
    }
    return out;
  }

  const CayleyStructure& cayley_;
  uint32_t order_;
  size_t degree_;
  std::vector<uint32_t> to_;
  std::vector<Way> ways_;  // of each displacement
  std::vector<std::vector<Way>> offers_;
  std::vector<Way> best_;
  double best_load_ = 0;
  std::vector<double> load_;
  std::vector<double> weight_;
  std::vector<double> distance_;
  std::vector<uint32_t> last_;
  double power_ = kFirstPower;
  double scale_ = 1;
  Rng rng_{1};
};

}  // namespace

DisplacementRoutes balanced_routes(const CayleyStructure& cayley) {
  count_work(Work::kSearching);
  if (cayley.group->order() == 1) return {};
  return RouteSearch(cayley).run();
}

}  // namespace quadrille
