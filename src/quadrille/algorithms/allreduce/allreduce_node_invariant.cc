// Allreduce on a Cayley graph: a reduce_scatter along node-invariant trees, then an allgather along the same.
//
// The pieces are dealt out to the nodes; each node collects its own and then sends the results out. So it is
// made for as many pieces as there are nodes, or a multiple: with one piece alone a tree does it in fewer
// steps.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/node_invariant_tree.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_node_invariant;

namespace allreduce_node_invariant_parts {
namespace {

// With the pieces of the node that has most.
NodeInvariantTree tree_of(const Problem& problem) {
  const uint32_t nodes = problem.collective().num_ranks();
  return node_invariant_tree(problem, (problem.collective().num_blocks() - 1) / nodes + 1);
}

Prediction predicted(const Problem& problem, const NodeInvariantTree& tree) {
  Prediction prediction{.steps = 2 * tree.steps(), .start_ups = 2 * tree.steps()};
  // Links are alike only if the nodes are. A link's hops back are those of the inverse generator.
  if (tree.steps() > 0 && problem.collective().num_blocks() % problem.collective().num_ranks() == 0) {
    const std::vector<uint32_t>& inverses = problem.topology().cayley()->inverses;
    std::vector<uint64_t> load(inverses.size(), 0);
    for (const NodeInvariantTree::Hop& hop : tree.hops) {
      ++load[hop.generator];
      ++load[inverses[hop.generator]];
    }
    prediction.busiest_link = *std::max_element(load.begin(), load.end());
  }
  return prediction;
}

bool deals_out_alike(const Problem& problem) {
  return problem.collective().block_count() % problem.collective().num_ranks() == 0;
}

void generate(const Problem& problem, const NodeInvariantTree& tree, StepSink& sink) {
  if (SymmetricSink* brief = sink.symmetric()) {
    collect_at_one_node(problem, tree, *brief);
    return spread_sums_at_one_node(problem, tree, *brief);
  }
  collect(problem, tree, sink);
  spread(problem, tree, TransferOp::kCopy, sink);
}

}  // namespace
}  // namespace allreduce_node_invariant_parts

constinit const Algorithm allreduce_node_invariant = {
    .name = "allreduce_node_invariant",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather along the same translated spanning trees",
    .source = "ours; collective communication dissertation 1996, section 4.4 for node invariance",
    .remarks =
        "any Cayley graph, any ports; for as many pieces as nodes: 2 (n-1)/degree steps with all ports",
    .same_at_all_nodes = allreduce_node_invariant_parts::deals_out_alike,
    .applies = has_node_invariant_tree,
    .prepare = by_plan<allreduce_node_invariant_parts::tree_of, allreduce_node_invariant_parts::predicted,
                       allreduce_node_invariant_parts::generate>,
};

}  // namespace quadrille::algorithms
