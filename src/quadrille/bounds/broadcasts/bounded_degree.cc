// Bounded degree: a node can inform its neighbours and nobody else, and one of them has informed it.
//
// Let every node have at most D neighbours, of which it can serve k in a step. Whoever is informed at step t
// over a path of l transfers was informed by somebody at an earlier step s over l-1, and was the i-th whom
// that node informed, i <= D-1, so that t >= s + ceil(i/k). So at most r(l,t) = sum over i of
// r(l-1, t - ceil(i/k)) nodes are informed just then, and R_d nodes at distance d or more need steps in which
// the sum of these over the lengths from d on is R_d: the recursion of the dissertation, "with limited
// history". Where D is so large that it does not matter, the other bounds say as much, and this one nothing.
//
// What one node contributes to an allreduce must reach all others, too. In the other collectives many blocks
// count for more than who has heard of whom.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille::bounds {

extern const BoundCard bounded_degree;

namespace bounded_degree_parts {
namespace {

// Where the others are so far that this takes long, the distance says all.
constexpr uint64_t kMostWork = 20'000'000;

// r(l,t) for one step after the other, up to the number of nodes wanted.
class Spread {
 public:
  Spread(uint64_t at_root, uint64_t elsewhere, uint64_t ports, uint64_t limit)
      : at_root_(at_root), elsewhere_(elsewhere), ports_(ports), limit_(limit), informed_{{1}} {}

  void step() {
    const size_t t = informed_.size();
    std::vector<uint64_t> now(t + 1, 0);
    for (size_t l = 1; l <= t; ++l) {
      // In each of the steps since it was informed a node serves `ports`, as long as there are neighbours.
      const uint64_t most = l == 1 ? at_root_ : elsewhere_;
      const size_t history = (most + ports_ - 1) / ports_;
      for (size_t ago = 1; ago <= history && ago <= t; ++ago) {
        const std::vector<uint64_t>& then = informed_[t - ago];
        if (l - 1 >= then.size()) break;
        const uint64_t each = std::min(ports_, most - (ago - 1) * ports_);
        now[l] = static_cast<uint64_t>(std::min<UInt128>(UInt128{each} * then[l - 1] + now[l], limit_));
      }
    }
    informed_.push_back(std::move(now));
    if (sum_.size() < informed_.size()) sum_.resize(informed_.size(), 0);
    for (size_t l = 0; l <= t; ++l) sum_[l] = std::min(limit_, sum_[l] + informed_.back()[l]);
  }
  // Over paths of so many transfers or more, in all steps so far.
  [[nodiscard]] uint64_t beyond(size_t length) const {
    uint64_t sum = 0;
    for (size_t l = std::max<size_t>(length, 1); l < sum_.size(); ++l) sum = std::min(limit_, sum + sum_[l]);
    return sum;
  }
  [[nodiscard]] size_t steps() const { return informed_.size() - 1; }

 private:
  uint64_t at_root_;
  uint64_t elsewhere_;
  uint64_t ports_;
  uint64_t limit_;
  std::vector<std::vector<uint64_t>> informed_;  // [t][l], capped
  std::vector<uint64_t> sum_;                    // [l], over all t
};

struct Least {
  size_t steps = 0;
  size_t distance = 1;  // that decides
};

Least least_steps(const std::vector<uint64_t>& beyond, Spread spread) {
  Least out;
  for (size_t d = 1; d < beyond.size(); ++d) {  // d = 0 says the same as d = 1
    while (spread.beyond(d) < beyond[d]) {
      out.distance = d;
      spread.step();
    }
  }
  out.steps = spread.steps();
  return out;
}

struct From {
  NodeId root{};
  std::vector<uint32_t> hops;
};

// The root, or the endpoint from which the others are farthest; backwards it is to whom.
From from_where(const Problem& problem, bool backwards) {
  const Topology& topology = problem.topology();
  const auto hops_of = [&](NodeId v) {
    return backwards ? distances_to(topology, v) : distances_from(topology, v);
  };
  if (const std::optional<Rank> root = problem.collective().root())
    return {topology.endpoint(*root), hops_of(topology.endpoint(*root))};
  From best{topology.endpoint(Rank{0}), hops_of(topology.endpoint(Rank{0}))};
  if (topology.cayley() != nullptr && !topology.has_routers()) return best;
  // Farthest, and then most of them: one search per endpoint, where there are not too many.
  if (uint64_t{topology.num_endpoints()} * topology.num_arcs() > kMostWork) return best;
  const auto summed = [&](const std::vector<uint32_t>& hops) {
    uint64_t farthest = 0;
    uint64_t sum = 0;
    for (const NodeId v : topology.endpoints()) {
      farthest = std::max<uint64_t>(farthest, hops[index(v)]);
      sum += hops[index(v)];
    }
    return std::pair{farthest, sum};
  };
  for (const NodeId v : topology.endpoints()) {
    std::vector<uint32_t> hops = hops_of(v);
    if (summed(hops) > summed(best.hops)) best = {v, std::move(hops)};
  }
  return best;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool backwards = kind == CollectiveKind::kReduce;
  const bool forwards = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kAllreduce;
  if (problem.model().switching != Switching::kPacket || problem.collective().num_ranks() < 2 ||
      (!forwards && !backwards))
    return std::nullopt;
  const Ports ports = backwards ? problem.model().receive : problem.model().send;
  const auto [root, hops] = from_where(problem, backwards);
  // Neighbours; and of a node that is not the root, those that are not sure to be informed before it.
  std::vector<uint64_t> neighbours(topology.num_nodes(), 0);
  std::vector<uint64_t> fewest_back(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    const size_t v = index(backwards ? topology.head(arc) : topology.tail(arc));
    ++neighbours[v];
    fewest_back[v] += topology.reverse(arc) != kNoArc ? 1 : 0;
  }
  std::vector<uint64_t> ways_in(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs())
    ++ways_in[index(backwards ? topology.tail(arc) : topology.head(arc))];
  uint64_t elsewhere = 0;
  for (const NodeId v : topology.nodes()) {
    if (v == root) continue;
    // Whoever informed it is a neighbour that it can inform, unless there is a way in without a way back.
    const bool informer_counts = fewest_back[index(v)] == ways_in[index(v)];
    elsewhere =
        std::max(elsewhere, neighbours[index(v)] - (informer_counts && ways_in[index(v)] > 0 ? 1 : 0));
  }
  const uint64_t served = ports.unlimited() ? std::max(elsewhere, neighbours[index(root)]) : ports.count;
  if (served == 0) return std::nullopt;

  std::vector<uint64_t> beyond;  // endpoints at distance d or more
  for (const NodeId v : topology.endpoints()) {
    if (hops[index(v)] >= beyond.size()) beyond.resize(hops[index(v)] + size_t{1}, 0);
    ++beyond[hops[index(v)]];
  }
  for (size_t d = beyond.size() - 1; d-- > 0;) beyond[d] += beyond[d + 1];
  if (beyond.size() * beyond.size() * beyond.size() > kMostWork) return std::nullopt;
  beyond[0] -= 1;  // the root itself
  const uint64_t at_root = neighbours[index(root)];
  const Least least = least_steps(beyond, Spread(at_root, elsewhere, served, topology.num_nodes()));
  // Without the limit it is what transmission_paths, distance and doubling say.
  const uint64_t many = topology.num_nodes();
  if (least.steps == least_steps(beyond, Spread(many, many, served, many)).steps) return std::nullopt;
  uint64_t head_start = 0;
  if (kind != CollectiveKind::kAllreduce) {
    const NodeCapacities capacities = node_capacities(topology);
    const uint64_t pieces_a_step = limited(ports, (backwards ? capacities.in : capacities.out)[index(root)]);
    head_start = (problem.collective().pieces() - 1) / pieces_a_step;
  }
  return Bound{
      bounded_degree.name, Rational(static_cast<int64_t>(least.steps + head_start)),
      fmt::format("{} endpoint{} at distance {} or more {} {}, where every node can {} {} at a time, and {} "
                  "others at most{}",
                  beyond[least.distance], beyond[least.distance] == 1 ? " is" : "s are", least.distance,
                  backwards ? "to" : "from", topology.label(root), backwards ? "hear from" : "inform", served,
                  elsewhere,
                  head_start == 0 ? "" : fmt::format(", {} steps after the first piece", head_start)),
      BoundOn::kSteps, InformedWitness{root, static_cast<uint32_t>(least.distance)}};
}

}  // namespace
}  // namespace bounded_degree_parts

constinit const BoundCard bounded_degree = {
    .name = "bounded_degree",
    .summary =
        "nodes at distance d or more, over what nodes of so few neighbours can inform over paths of that length",
    .source =
        "collective communication dissertation 1996, section 3.2.2: the recursion with limited history; ours",
    .evaluate = bounded_degree_parts::evaluate,
};

}  // namespace quadrille::bounds
