// Broadcast in a product along the product of its factors' trees.
//
// A node needs to know only its own place in a small tree of each factor. With all ports: the sum of the
// factors' eccentricities, which is optimal. On a hypercube it is the binomial tree, optimal with one port
// too.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_product_tree;

namespace broadcast_product_tree_parts {
namespace {

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  return tree_broadcast(topology, product_tree(topology, root), problem.model().send);
}

// By the factors' trees, where no router is left out of the product's.
Prediction predicted(const Problem& problem, Once<TreeBroadcast>& tree) {
  const Topology& topology = problem.topology();
  if (topology.has_routers() || topology.num_nodes() == 1) return tree_broadcast_prediction(problem, tree);
  const TreeTimes times =
      product_tree_times(topology, topology.endpoint(*problem.collective().root()), problem.model().send);
  const uint64_t pieces = problem.collective().pieces();
  const uint64_t steps = times.one_piece + (pieces - 1) * times.interval;
  return {.steps = steps, .start_ups = steps, .busiest_link = pieces};
}

Applicability applies(const Problem& problem) {
  if (problem.topology().product() != nullptr) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a product of graphs, such as a mesh, a torus or a hypercube; {} is none",
                  problem.topology().name()));
}

}  // namespace
}  // namespace broadcast_product_tree_parts

constinit const Algorithm broadcast_product_tree = {
    .name = "broadcast_product_tree",
    .collective = CollectiveKind::kBroadcast,
    .summary = "sends the block down the product of the factors' breadth-first trees",
    .source = "collective communication dissertation 1996, theorem 3.1",
    .remarks =
        "any product, any ports; optimal with all ports and one piece, and with one port on hypercubes",
    .counts_alone = true,
    .applies = broadcast_product_tree_parts::applies,
    .prepare =
        by_plan<broadcast_product_tree_parts::shape, broadcast_product_tree_parts::predicted, broadcast_down>,
};

}  // namespace quadrille::algorithms
