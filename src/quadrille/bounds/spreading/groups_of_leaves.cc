// Groups of leaves: what an allreduce takes where endpoints hang on one neighbour each, as hosts on their switches.
//
// Each of them sends each piece once at least, and receives it once; its neighbour ends the first of these, and starts the other. A node
// with those who hang on it is a group. Transfers one by one in their order: until a group has a piece whole each other one has sent
// of it, and afterwards each other one receives it, from outside. So 2 (k - 1) transfers go between k groups, and each of them is
// ended, and started, by a node that hangs on nobody.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/demand.h"

namespace quadrille::bounds {

extern const BoundCard groups_of_leaves;

namespace groups_of_leaves_parts {
namespace {

// Endpoints with one neighbour, there and back, that is none itself.
std::vector<char> leaves(const Topology& topology) {
  std::vector<char> out(topology.num_nodes(), 0);
  const auto is_one = [&](NodeId v) { return topology.rank(v) && topology.arcs_from(v).size() == 1; };
  for (const NodeId v : topology.endpoints())
    out[index(v)] = is_one(v) && !is_one(topology.head(topology.arcs_from(v)[0])) ? 1 : 0;
  return out;
}

std::optional<Bound> evaluate(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.collective().kind() != CollectiveKind::kAllreduce || !sends_single_packets(problem.model()) ||
      problem.collective().num_ranks() < 2 || topology.is_directed())
    return std::nullopt;
  const std::vector<char> hangs = leaves(topology);
  const auto hanging = static_cast<uint64_t>(std::ranges::count(hangs, char{1}));
  if (hanging == 0) return std::nullopt;
  const NodeCapacities capacities = node_capacities(topology);
  uint64_t groups = 0;
  uint64_t ends = 0;
  uint64_t starts = 0;
  std::vector<WeightsWitness::Node> others;
  for (const NodeId v : topology.nodes()) {
    if (hangs[index(v)] != 0) continue;
    others.push_back({v, 1});
    ends += limited(problem.model().receive, capacities.in[index(v)]);
    starts += limited(problem.model().send, capacities.out[index(v)]);
    bool has_leaves = false;
    for (const ArcId arc : topology.arcs_from(v))
      has_leaves = has_leaves || hangs[index(topology.head(arc))] != 0;
    groups += topology.rank(v) || has_leaves ? 1 : 0;
  }
  const uint64_t each = hanging + 2 * (std::max<uint64_t>(groups, 1) - 1);
  const bool receives = ends <= starts;
  const uint64_t a_step = receives ? ends : starts;
  WeightsWitness witness;
  (receives ? witness.receivers : witness.senders) = std::move(others);
  return Bound{
      groups_of_leaves.name, Rational::of(each * problem.collective().pieces(), a_step),
      fmt::format(
          "{} with one neighbour, and {}: each of {} takes {} transfers that {} at nodes that hang on nobody, and "
          "these {} no more than {} a step",
          plural(hanging, "endpoint"), plural(groups, "group"),
          plural(problem.collective().pieces(), "piece"), each, receives ? "end" : "start",
          receives ? "end" : "start", a_step),
      BoundOn::kSteps, std::move(witness)};
}

}  // namespace
}  // namespace groups_of_leaves_parts

constinit const BoundCard groups_of_leaves = {
    .name = "groups_of_leaves",
    .summary =
        "allreduce: what endpoints on one link each, and groups of them, send over what their neighbours can",
    .source = "counting; one-way gossip takes 2n - 2 calls: Harary and Schwenk 1974",
    .in_proportion = true,
    .evaluate = groups_of_leaves_parts::evaluate,
};

}  // namespace quadrille::bounds
