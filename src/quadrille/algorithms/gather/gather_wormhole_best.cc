// Gather up the tree of a broadcast with the fewest steps: see worm_broadcast/worm_planner.h.
//
// Backwards a worm corrects its coordinates last to first. So the broadcast is planned on the grid with its
// dimensions in reverse order, and its worms, backwards, are in dimension order.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm gather_wormhole_best;

namespace gather_wormhole_best_parts {
namespace {

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return plan_worms_backwards(grid.shape(), root_position(problem, grid)).plan;
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace gather_wormhole_best_parts

constinit const Algorithm gather_wormhole_best = {
    .name = "gather_wormhole_best",
    .collective = CollectiveKind::kGather,
    .summary =
        "the wormhole scatter along a broadcast's tree, reversed, with the dimensions in reverse order",
    .source = "ours",
    .remarks =
        "every torus and mesh, all ports, worms in dimension order; as many steps as a broadcast on the grid "
        "with its dimensions in reverse order",
    .applies = all_port_worm_grid,
    .prepare = by_plan<gather_wormhole_best_parts::plan_of, gather_wormhole_best_parts::predicted,
                       gather_wormhole_best_parts::generate>,
};

}  // namespace quadrille::algorithms
