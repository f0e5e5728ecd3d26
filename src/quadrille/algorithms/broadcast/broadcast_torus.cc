// One-port broadcast on a torus: rings informed one after the other, odd ones two at a time.
//
// See trees/torus_broadcast_tree.h. All sides even: the diameter D, optimal. One odd side, or two that are
// not both 3: D + 1, optimal. Every torus of up to 128 nodes: optimal, by the bounds and, where these do not
// reach, by refutations that are kept (bounds/refuted_broadcast.cc).
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/one_port_problem.h"
#include "quadrille/algorithms/trees/torus_broadcast_tree.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_torus;

namespace broadcast_torus_parts {
namespace {

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const SpanningTree tree = torus_broadcast_tree(topology, *as_torus(topology), broadcast_root(problem));
  return tree_broadcast(topology, tree, problem.model().send);
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_one_port_broadcast(problem);
  if (!fits.applies || as_torus(problem.topology()).has_value()) return fits;
  return Applicability::no(
      problem.topology().name() +
      " is not known to be a torus; broadcast_search and broadcast_urgent take any graph");
}

}  // namespace
}  // namespace broadcast_torus_parts

constinit const Algorithm broadcast_torus = {
    .name = "broadcast_torus",
    .collective = CollectiveKind::kBroadcast,
    .summary = "informs the torus ring by ring, odd rings in pairs so that a pair loses one step only",
    .source = "Farley and Hedetniemi 1978 for two dimensions; more dimensions: ours",
    .remarks =
        "one port, any torus; optimal with even sides (the diameter D), with up to two odd ones (D+1), and on "
        "all tori of up to 128 nodes; D + ceil(odd sides / 2) on most others",
    .applies = broadcast_torus_parts::applies,
    .prepare = by_plan<broadcast_torus_parts::shape, tree_broadcast_prediction, broadcast_down>,
};

}  // namespace quadrille::algorithms
