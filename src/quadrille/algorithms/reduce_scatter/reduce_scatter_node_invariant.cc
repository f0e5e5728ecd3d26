// Reduce_scatter on a Cayley graph: the node-invariant allgather backwards.
//
// Where a block was sent by one node to the next, the next one now sends back what it has gathered of it; so
// every contribution to a block comes together on its way up the block's tree.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/cayley/node_invariant_tree.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_node_invariant;

namespace reduce_scatter_node_invariant_parts {
namespace {

// A tree is searched for, and its sums are followed at one node.
constexpr uint32_t kMostNodesCounted = 1U << 17U;

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (!problem.collective().is_numbered() &&
      (topology.is_outline() || topology.num_nodes() > kMostNodesCounted))
    return Applicability::no(fmt::format(
        "of blocks that are only counted it makes a tree for up to {} nodes, {} has {}",
        with_thousands(kMostNodesCounted), topology.name(), with_thousands(topology.num_nodes())));
  return has_node_invariant_tree(problem);
}

NodeInvariantTree tree_of(const Problem& problem) {
  return node_invariant_tree(problem, problem.collective().pieces());
}

Prediction predicted(const Problem&, const NodeInvariantTree& tree) {
  return {.steps = tree.steps(), .start_ups = tree.steps(), .busiest_link = tree.busiest_generator()};
}

void generate(const Problem& problem, const NodeInvariantTree& tree, StepSink& sink) {
  if (SymmetricSink* brief = sink.symmetric()) return collect_at_one_node(problem, tree, *brief);
  collect(problem, tree, sink);
}

}  // namespace
}  // namespace reduce_scatter_node_invariant_parts

constinit const Algorithm reduce_scatter_node_invariant = {
    .name = "reduce_scatter_node_invariant",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather along translated trees, reversed in time and direction",
    .source = "ours; collective communication dissertation 1996, section 4.4 for node invariance",
    .remarks =
        "any Cayley graph, any ports; optimal, (n-1)/degree steps with all ports, wherever it was tried",
    .counts_alone = true,
    .same_at_all_nodes = always,
    .applies = reduce_scatter_node_invariant_parts::applies,
    .prepare =
        by_plan<reduce_scatter_node_invariant_parts::tree_of, reduce_scatter_node_invariant_parts::predicted,
                reduce_scatter_node_invariant_parts::generate>,
};

}  // namespace quadrille::algorithms
