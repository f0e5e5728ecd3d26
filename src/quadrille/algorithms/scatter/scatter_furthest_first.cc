// Scatter along a breadth-first tree, the farthest destination first: see patterns/tree_scatter.h.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/patterns/tree_scatter.h"

namespace quadrille::algorithms {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return breadth_first_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

Claim claimed(const Problem& problem) {
  const SpanningTree tree = tree_of(problem);
  return claim_of(furthest_first_sends(problem, tree), problem, tree);
}

void generate(const Problem& problem, StepSink& sink) {
  const SpanningTree tree = tree_of(problem);
  quadrille::generate(furthest_first_sends(problem, tree), problem, tree, sink);
}

}  // namespace

constinit const Algorithm scatter_furthest_first = {
    .name = "scatter_furthest_first",
    .collective = CollectiveKind::kScatter,
    .summary = "send down a breadth-first tree, the farthest destination first",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks =
        "any graph, any ports; optimal with one port (n-1 steps); with all ports as many steps as the "
        "largest "
        "subtree of the root has nodes",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .claimed = claimed,
    .generate = generate,
};

}  // namespace quadrille::algorithms
