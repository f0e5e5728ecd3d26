// Allgather on a Cayley graph: every node sends its block along the same tree, translated.
//
// The tree uses each generator at most once a step, so all trees together use each link at most once a step,
// and with all ports every node receives a new block over every link in every step: (n-1)/degree of them,
// rounded up, which is optimal (cayley/node_invariant_tree.h). One node's program is all that is stored.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/node_invariant_tree.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_node_invariant;

namespace allgather_node_invariant_parts {
namespace {

NodeInvariantTree tree_of(const Problem& problem) {
  return node_invariant_tree(problem, problem.collective().pieces());
}

Prediction predicted(const Problem&, const NodeInvariantTree& tree) {
  return {.steps = tree.steps(), .start_ups = tree.steps(), .busiest_link = tree.busiest_generator()};
}

void generate(const Problem& problem, const NodeInvariantTree& tree, StepSink& sink) {
  if (SymmetricSink* brief = sink.symmetric()) return spread_at_one_node(tree, *brief);
  spread(problem, tree, TransferOp::kDefault, sink);
}

}  // namespace
}  // namespace allgather_node_invariant_parts

constinit const Algorithm allgather_node_invariant = {
    .name = "allgather_node_invariant",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "every block follows a translated copy of one spanning tree, each generator used at most once a step",
    .source = "ours; collective communication dissertation 1996, section 4.4 for node invariance",
    .remarks =
        "any Cayley graph, any ports; optimal, (n-1)/degree steps with all ports, wherever it was tried",
    .same_at_all_nodes = always,
    .applies = has_node_invariant_tree,
    .prepare = by_plan<allgather_node_invariant_parts::tree_of, allgather_node_invariant_parts::predicted,
                       allgather_node_invariant_parts::generate>,
};

}  // namespace quadrille::algorithms
