// Scatter down the product of the factors' breadth-first trees, farthest destination first.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/spanning_tree.h"
#include "quadrille/algorithms/trees/tree_scatter.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_product_tree;

namespace scatter_product_tree_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return product_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

Applicability applies(const Problem& problem) {
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
    .applies = scatter_product_tree_parts::applies,
    .prepare = by_plan<scatter_product_tree_parts::tree_of, tree_scatter_prediction, scatter_down>,
};

}  // namespace quadrille::algorithms
