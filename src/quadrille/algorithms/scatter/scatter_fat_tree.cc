// Scatter on a fat tree: the gather in which nothing is held back, read backwards, and optimal like it.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_fat_tree;
extern const Algorithm gather_fat_tree;

namespace scatter_fat_tree_parts {
namespace {

Applicability applies(const Problem& problem) {
  Model model = problem.model();
  model.duplex = Duplex::kFull;
  if (Applicability fits = fits_fat_tree(Problem(problem.topology(), problem.collective(), model));
      !fits.applies) {
    return fits;
  }
  if (problem.model().send.unlimited()) return Applicability::yes();
  return Applicability::no(
      "it needs all send ports, since a router may serve several children at once; with fewer, "
      "scatter_furthest_first takes as many steps as one branch a step");
}

}  // namespace
}  // namespace scatter_fat_tree_parts

constinit const Algorithm scatter_fat_tree = {
    .name = "scatter_fat_tree",
    .collective = CollectiveKind::kScatter,
    .summary = "the gather without stalls on a fat tree, reversed in time and direction",
    .source = "collective communication dissertation 1996, theorem 6.2, for any capacities",
    .remarks = "any fat tree, any capacities and receive ports, all send ports; optimal",
    .applies = scatter_fat_tree_parts::applies,
    .prepare = backwards<gather_fat_tree>,
};

}  // namespace quadrille::algorithms
