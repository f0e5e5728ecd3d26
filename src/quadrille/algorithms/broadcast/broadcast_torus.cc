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

// Of one piece by formula: the groups of rings are informed one after the other.
Prediction predicted(const Problem& problem, Once<TreeBroadcast>& tree) {
  if (problem.collective().pieces() > 1 || problem.topology().num_nodes() == 1)
    return tree_broadcast_prediction(problem, tree);
  const uint64_t steps = torus_broadcast_steps(as_torus(problem.topology())->sides);
  return {.steps = steps, .start_ups = steps, .busiest_link = 1};
}

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const SpanningTree tree = torus_broadcast_tree(topology, *as_torus(topology), broadcast_root(problem));
  return tree_broadcast(topology, tree, problem.model().send);
}

Applicability applies(const Problem& problem) {
  Applicability fits = fits_one_port_broadcast(problem);
  if (problem.topology().is_outline() && problem.collective().pieces() > 1)
    return Applicability::no(
        "how far apart pieces follow each other it reads off its tree, which is not listed");
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
    .counts_alone = true,
    .applies = broadcast_torus_parts::applies,
    .prepare = by_plan<broadcast_torus_parts::shape, broadcast_torus_parts::predicted, broadcast_down>,
};

}  // namespace quadrille::algorithms
