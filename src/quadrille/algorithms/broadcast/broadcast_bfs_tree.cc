// Broadcast along a breadth-first tree: every node passes the block on as soon as it has it.
//
// With all ports a node serves all its children in the step after it was served: as many steps as the
// farthest endpoint is away, which is optimal. With fewer ports see trees/tree_broadcast.h: optimal on the
// tree, not always on the graph.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_bfs_tree;

namespace broadcast_bfs_tree_parts {
namespace {

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  return tree_broadcast(topology, breadth_first_tree(topology, root), problem.model().send);
}

// On small networks all numbers of pieces are tried in any case.
constexpr uint32_t kSmallNetwork = 128;

Chunking chunks(const Problem& problem) {
  return {.unit = 1, .streams = problem.topology().num_nodes() > kSmallNetwork};
}

}  // namespace
}  // namespace broadcast_bfs_tree_parts

constinit const Algorithm broadcast_bfs_tree = {
    .name = "broadcast_bfs_tree",
    .collective = CollectiveKind::kBroadcast,
    .summary = "sends the block down a breadth-first tree, the child with the longest subtree first",
    .source = "folklore; Slater, Cockayne and Hedetniemi 1981 for the order of the children",
    .remarks =
        "any graph, any ports, routers copy too; optimal with all ports, and on trees with any (one piece)",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .chunks = broadcast_bfs_tree_parts::chunks,
    .prepare = by_plan<broadcast_bfs_tree_parts::shape, tree_broadcast_prediction, broadcast_down>,
};

}  // namespace quadrille::algorithms
