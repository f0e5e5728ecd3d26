// Scatter along the weighted paths of an extended ring, farthest destination first.
//
// The root's branches are paths of nearly equal length, none with more than ceil((n-1)/degree) nodes: with
// all ports the root's links are busy in every step, and no schedule is shorter.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/extended_ring_tree.h"
#include "quadrille/algorithms/trees/scattering/tree_scatter.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_extended_ring;

namespace scatter_extended_ring_parts {
namespace {

SpanningTree tree_of(const Problem& problem) {
  return extended_ring_tree(problem.topology(), problem.topology().endpoint(*problem.collective().root()));
}

Applicability applies(const Problem& problem) {
  if (as_extended_ring(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs an extended ring, such as a ring or extended_ring(14,2); {} is not known to be one",
      problem.topology().name()));
}

}  // namespace
}  // namespace scatter_extended_ring_parts

constinit const Algorithm scatter_extended_ring = {
    .name = "scatter_extended_ring",
    .collective = CollectiveKind::kScatter,
    .summary = "sends along strides of rho on an extended ring, farthest destination first",
    .source = "collective communication dissertation 1996, theorem 3.8",
    .remarks =
        "any extended ring, any ports; optimal with one port (n-1 steps) and with all: ceil((n-1)/degree)",
    .applies = scatter_extended_ring_parts::applies,
    .prepare = by_plan<scatter_extended_ring_parts::tree_of, tree_scatter_prediction, scatter_down>,
};

}  // namespace quadrille::algorithms
