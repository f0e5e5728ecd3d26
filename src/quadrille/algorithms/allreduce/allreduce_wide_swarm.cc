// Allreduce of many pieces with all ports on any graph of up to thousands of nodes: a reduce_scatter and an allgather in
// which the scarcest blocks go first.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/both_ways.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_wide_swarm;
extern const Algorithm allgather_wide_swarm;

namespace allreduce_wide_swarm_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (problem.collective().pieces() < problem.collective().num_ranks())
    return Applicability::no("it deals the pieces out, at least one to each endpoint");
  return applies_both_ways<allgather_wide_swarm>(problem);
}

}  // namespace
}  // namespace allreduce_wide_swarm_parts

constinit const Algorithm allreduce_wide_swarm = {
    .name = "allreduce_wide_swarm",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather in which every node takes the scarcest pieces first",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "any graph of unknown structure, all ports; for as many pieces as endpoints, or more; where all nodes have "
        "as many links, at the bound wherever it was tried with a hundred nodes or more",
    .mixes_pieces = true,
    .applies = allreduce_wide_swarm_parts::applies,
    .prepare = both_ways<allgather_wide_swarm>,
};

}  // namespace quadrille::algorithms
