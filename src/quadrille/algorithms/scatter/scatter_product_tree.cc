// Scatter down the product of the factors' breadth-first trees, farthest destination first.
#include <fmt/format.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/scattering/tree_scatter.h"
#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_product_tree;

namespace scatter_product_tree_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return product_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

// By the sizes of the factors' subtrees. Among the destinations of a branch every distance from 1 on occurs, so the root
// sends in every step until the last message, which goes one hop.
Prediction predicted(const Problem& problem, Once<SpanningTree>& tree) {
  const Topology& topology = problem.topology();
  if (!topology.is_outline()) return tree_scatter_prediction(problem, tree);
  const uint64_t pieces = problem.collective().pieces();
  uint64_t largest = 0;
  for (const uint64_t size : product_branches(topology, topology.endpoint(*problem.collective().root())))
    largest = std::max(largest, size);
  const uint64_t sent = problem.model().send.count == 1 ? uint64_t{topology.num_nodes()} - 1 : largest;
  return {.steps = sent * pieces, .start_ups = sent * pieces, .busiest_link = largest * pieces};
}

Applicability applies(const Problem& problem) {
  const Ports send = problem.model().send;
  if (problem.topology().is_outline() && !send.unlimited() && send.count > 1)
    return Applicability::no("of a network in outline it is known with one port and with all");
  if (problem.topology().product() != nullptr) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a product of graphs, such as a mesh, a torus or a hypercube; {} is none",
                  problem.topology().name()));
}

}  // namespace
}  // namespace scatter_product_tree_parts

constinit const Algorithm scatter_product_tree = {
    .name = "scatter_product_tree",
    .collective = CollectiveKind::kScatter,
    .summary = "sends down the product of the factors' breadth-first trees, farthest destination first",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks =
        "any product, any ports; optimal with one port (n-1 steps); the tree needs nothing but the factors' "
        "trees",
    .counts_alone = true,
    .applies = scatter_product_tree_parts::applies,
    .prepare =
        by_plan<scatter_product_tree_parts::tree_of, scatter_product_tree_parts::predicted, scatter_down>,
};

}  // namespace quadrille::algorithms
