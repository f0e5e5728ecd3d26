// Generator weights: a total exchange on a Cayley graph against any weighing of its generators.
//
// Give every arc of generator s the weight w_s. A block that goes the displacement d needs arcs of a weight
// of at least dist_w(d), and in one step all arcs that leave a node weigh the sum of c_s w_s together, c_s
// the capacity. All nodes look alike, so T >= sum_d dist_w(d) / sum_s c_s w_s. Equal weights give the bound
// average_status; the weight 1 for one dimension of a torus and 0 elsewhere its bisection. The best are the prices of a linear
// program, to which the loads of lightest ways are added one by one (base/numbers/load_mixture.h); whole numbers make the
// bound exact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "quadrille/base/numbers/load_mixture.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"

namespace quadrille::bounds {

extern const BoundCard generator_weights;

namespace generator_weights_parts {
namespace {

constexpr int kRounds = 60;
constexpr uint32_t kLargestWeight = 1000;
// Of the best mixture, what weights may miss.
constexpr double kAlmost = 2e-4;
// Weights that are tried in place of those that the search found, and how near they must be.
constexpr uint32_t kLargestSimple = 60;
constexpr uint32_t kMostSimple = 3;
constexpr double kAlmostWhole = 1e-3;
constexpr uint64_t kMostArcs = uint64_t{1} << 20U;
// More are not worth printing.
constexpr size_t kMostShown = 12;

class WeightSearch {
 public:
  explicit WeightSearch(const Topology& topology)
      : cayley_(*topology.cayley()), order_(topology.num_nodes()), degree_(cayley_.generators.size()) {
    to_.resize(degree_ * order_);
    for (size_t k = 0; k < degree_; ++k) {
      for (uint32_t x = 0; x < order_; ++x)
        to_[k * order_ + x] = static_cast<uint32_t>(index(topology.head(cayley_.arc(NodeId{x}, k))));
      capacity_.push_back(topology.capacity(cayley_.arc(NodeId{0}, k)));
    }
  }

  // Tries each generator with its inverse alone, all alike, and the prices of mixtures; where these do not settle, weights
  // that follow the loads.
  void run() {
    for (size_t k = 0; k < degree_; ++k) {
      std::vector<uint32_t> alone(degree_, 0);
      alone[k] = alone[cayley_.inverses[k]] = 1;
      if (degree_ <= 32) offer(alone);
    }
    offer(std::vector<uint32_t>(degree_, 1));
    if (!settle()) follow_loads();
  }

  [[nodiscard]] const Rational& value() const { return value_; }
  [[nodiscard]] const std::vector<uint32_t>& weights() const { return weights_; }

 private:
  // Every offer's lightest ways are loads, too, and no weights prove more than the best mixture of loads has. Whether they
  // prove that, or almost.
  bool settle() {
    LoadMixture mixture(load_);
    std::vector<double> weights;
    bool is_settled = false;
    for (int round = 0; round < kRounds && !is_settled; ++round) {
      weights = mixture.prices();
      for (size_t k = 0; k < degree_; ++k) weights[k] /= capacity_[k];
      offer(rounded(weights, kLargestWeight));
      mixture.add(load_);
      is_settled = mixture.busiest() - value_.to_double() < kAlmost * mixture.busiest();
    }
    // The best weights may be small whole numbers.
    const double most = *std::max_element(weights.begin(), weights.end());
    for (uint32_t largest = 1, tried = 0; largest <= kLargestSimple && tried < kMostSimple; ++largest) {
      const bool are_whole = std::all_of(weights.begin(), weights.end(), [&](double w) {
        return std::abs(w / most * largest - std::round(w / most * largest)) < kAlmostWhole * largest;
      });
      if (!are_whole) continue;
      offer(rounded(weights, largest));
      ++tried;
    }
    return is_settled;
  }

  static std::vector<uint32_t> rounded(const std::vector<double>& weights, uint32_t largest) {
    const double most = *std::max_element(weights.begin(), weights.end());
    std::vector<uint32_t> out;
    for (const double w : weights) out.push_back(static_cast<uint32_t>(std::lround(w / most * largest)));
    return out;
  }

  void follow_loads() {
    std::vector<double> log_weight(degree_, 0.0);
    for (int round = 0; round < kRounds; ++round) {
      const double most = *std::max_element(log_weight.begin(), log_weight.end());
      std::vector<double> weights;
      for (const double w : log_weight) weights.push_back(std::exp(w - most));
      offer(rounded(weights, kLargestWeight));
      const double busiest = *std::max_element(load_.begin(), load_.end());
      for (size_t k = 0; k < degree_; ++k)
        log_weight[k] += 2.0 / (1.0 + 0.25 * round) * (load_[k] / busiest - 1.0);
    }
  }

  void offer(std::vector<uint32_t> weights) {
    uint64_t sum = 0;
    for (size_t k = 0; k < degree_; ++k) sum += uint64_t{capacity_[k]} * weights[k];
    find_lightest(weights);
    const uint64_t needed = std::accumulate(distance_.begin(), distance_.end(), uint64_t{0});
    const Rational value = Rational::of(needed, sum);
    if (value_ < value) {
      value_ = value;
      weights_ = std::move(weights);
    }
  }

  // Dijkstra from the identity; of equally light ways the one with fewer hops. Then the loads of those ways,
  // relative to the capacities.
  void find_lightest(const std::vector<uint32_t>& weights) {
    distance_.assign(order_, UINT64_MAX);
    std::vector<uint32_t> last(order_, 0);
    std::vector<uint32_t> from(order_, 0);
    std::vector<uint32_t> settled;
    using Item = std::pair<uint64_t, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    distance_[0] = 0;
    queue.emplace(0, 0U);
    while (!queue.empty()) {
      const Item item = queue.top();
      queue.pop();
      if (item.first != distance_[item.second]) continue;
      settled.push_back(item.second);
      for (size_t k = 0; k < degree_; ++k) {
        const uint32_t x = to_[k * order_ + item.second];
        if (item.first + weights[k] >= distance_[x]) continue;
        distance_[x] = item.first + weights[k];
        last[x] = static_cast<uint32_t>(k);
        from[x] = item.second;
        queue.emplace(distance_[x], x);
      }
    }
    load_.assign(degree_, 0.0);
    std::vector<uint64_t> below(order_, 1);
    for (size_t i = settled.size(); i-- > 1;) {
      const uint32_t x = settled[i];
      load_[last[x]] += static_cast<double>(below[x]) / capacity_[last[x]];
      below[from[x]] += below[x];
    }
  }

  const CayleyStructure& cayley_;
  uint32_t order_;
  size_t degree_;
  std::vector<uint32_t> to_;
  std::vector<uint32_t> capacity_;
  std::vector<uint64_t> distance_;
  std::vector<double> load_;
  Rational value_{0};
  std::vector<uint32_t> weights_;
};

// Per link what its generator weighs.
WeightsWitness as_witness(const Topology& topology, const std::vector<uint32_t>& weights) {
  const CayleyStructure& cayley = *topology.cayley();
  std::vector<uint32_t> of_arc(topology.num_arcs(), 0);
  for (const NodeId x : topology.nodes()) {
    for (size_t k = 0; k < weights.size(); ++k) of_arc[index(cayley.arc(x, k))] = weights[k];
  }
  WeightsWitness out;
  for (const ArcId arc : topology.arcs()) {
    if (of_arc[index(arc)] > 0)
      out.links.push_back({topology.tail(arc), topology.head(arc), of_arc[index(arc)]});
  }
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kPacket ||
      problem.collective().kind() != CollectiveKind::kAlltoall || topology.cayley() == nullptr ||
      topology.has_routers() || topology.num_nodes() < 2 || topology.num_arcs() > kMostArcs)
    return std::nullopt;
  WeightSearch search(topology);
  search.run();
  std::vector<std::string> shown;
  for (size_t k = 0; k < search.weights().size() && k < kMostShown; ++k) {
    shown.push_back(fmt::format("{} of {}", search.weights()[k],
                                topology.cayley()->group->element_text(topology.cayley()->generators[k])));
  }
  if (search.weights().size() > kMostShown) shown.emplace_back("...");
  return Bound{generator_weights.name, search.value() * Rational(problem.collective().pieces()),
               fmt::format("the displacements' distances over all arcs of a node, with generator weights {}",
                           join(shown)),
               BoundOn::kSteps, as_witness(topology, search.weights())};
}

}  // namespace
}  // namespace generator_weights_parts

constinit const BoundCard generator_weights = {
    .name = "generator_weights",
    .summary = "weighted distances of all displacements, over the weights of a node's arcs",
    .source = "dual of the concurrent flow problem, on the generators of a Cayley graph; ours",
    .in_proportion = true,
    .evaluate = generator_weights_parts::evaluate,
};

}  // namespace quadrille::bounds
