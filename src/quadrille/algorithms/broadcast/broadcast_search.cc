// One-port broadcast on a small graph by exact search: the fewest steps, if the search gets that far.
//
// See trees/one_port_search.h. A limit on conflicts, not on time, ends it, so that the same plan comes out
// everywhere; the card never says that a plan is optimal, the bound refuted_broadcast and others do.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/one_port_problem.h"
#include "quadrille/algorithms/trees/one_port_search.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_search;

namespace broadcast_search_parts {
namespace {

constexpr uint32_t kMostNodes = 512;
constexpr uint32_t kMostArcs = 4096;
constexpr uint32_t kMostNodesPredicted = 64;  // beyond, nobody is made to wait for what may not be wanted
constexpr uint32_t kConflicts = 20'000;

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const OnePortOptimum best = search_one_port_tree(topology, broadcast_root(problem), kConflicts);
  return tree_broadcast(topology, best.tree, kOnePort);
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_one_port_broadcast(problem);
  if (!fits.applies) return fits;
  if (problem.collective().pieces() > 1) {
    return Applicability::no(
        fmt::format("it searches for the best broadcast of a block in one piece, not in {}; broadcast_urgent "
                    "takes any number",
                    problem.collective().pieces()));
  }
  const Topology& topology = problem.topology();
  if (topology.num_nodes() > kMostNodes || topology.num_arcs() > kMostArcs) {
    return Applicability::no(
        fmt::format("it searches graphs of up to {} nodes and {} arcs and {} has {} and {}; broadcast_urgent "
                    "takes large ones",
                    kMostNodes, kMostArcs, topology.name(), topology.num_nodes(), topology.num_arcs()));
  }
  return fits;
}

Prediction predicted(const Problem& problem, Once<TreeBroadcast>& tree) {
  return problem.topology().num_nodes() > kMostNodesPredicted ? Prediction{}
                                                              : tree_broadcast_prediction(problem, tree);
}

}  // namespace
}  // namespace broadcast_search_parts

constinit const Algorithm broadcast_search = {
    .name = "broadcast_search",
    .collective = CollectiveKind::kBroadcast,
    .summary = "searches for a broadcast with the fewest steps by a satisfiability solver",
    .source = "ours; the search is CaDiCaL's (Biere et al.)",
    .remarks =
        "one port, graphs of up to 512 nodes and 4,096 arcs; optimal unless a question takes more than 20,000 "
        "conflicts, and then the best plan found",
    .applies = broadcast_search_parts::applies,
    .prepare = by_search<broadcast_search_parts::shape, broadcast_search_parts::predicted, broadcast_down>,
};

}  // namespace quadrille::algorithms
