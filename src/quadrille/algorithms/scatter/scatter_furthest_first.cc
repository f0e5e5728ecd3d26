// Scatter along a breadth-first tree, the farthest destination first: see scattering/tree_scatter.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/scattering/tree_scatter.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_furthest_first;

namespace scatter_furthest_first_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return breadth_first_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

}  // namespace
}  // namespace scatter_furthest_first_parts

constinit const Algorithm scatter_furthest_first = {
    .name = "scatter_furthest_first",
    .collective = CollectiveKind::kScatter,
    .summary = "sends down a breadth-first tree, farthest destination first",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks =
        "any graph, any ports; optimal with one port (n-1 steps); with all ports as many steps as the largest "
        "subtree of the root has nodes",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .prepare = by_plan<scatter_furthest_first_parts::tree_of, tree_scatter_prediction, scatter_down>,
};

}  // namespace quadrille::algorithms
