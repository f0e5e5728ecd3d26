// Scatter down the balanced tree of a two-dimensional torus: see trees/torus_tree.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/scattering/tree_scatter.h"
#include "quadrille/algorithms/trees/torus_tree.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_torus;

namespace scatter_torus_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return torus_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

Applicability applies(const Problem& problem) {
  if (has_torus_tree(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs a torus of two dimensions with sides of at least 3, and {} is not known to be one; "
      "scatter_balanced_tree serves any graph",
      problem.topology().name()));
}

}  // namespace
}  // namespace scatter_torus_parts

constinit const Algorithm scatter_torus = {
    .name = "scatter_torus",
    .collective = CollectiveKind::kScatter,
    .summary = "sends down a tree of four equal quadrants of a torus, farthest destination first",
    .source = "collective communication dissertation 1996, section 3.4.2; narrow sides are ours",
    .remarks =
        "two dimensions, all sides from 3, any ports; optimal with one port (nm-1 steps) and with all: "
        "ceil((nm-1)/4)",
    .applies = scatter_torus_parts::applies,
    .prepare = by_plan<scatter_torus_parts::tree_of, tree_scatter_prediction, scatter_down>,
};

}  // namespace quadrille::algorithms
