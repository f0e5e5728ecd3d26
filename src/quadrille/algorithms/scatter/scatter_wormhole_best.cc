// Scatter along the tree of the broadcast with the fewest steps: see worm_broadcast/worm_planner.h.
//
// A worm carries the blocks of all nodes that hear through its end, so the steps are those of the broadcast,
// and so are the bounds. The first worms are long: where blocks are large, a tree with even branches costs
// less.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_wormhole_best;

namespace scatter_wormhole_best_parts {
namespace {

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return plan_worms(grid.shape(), root_position(problem, grid)).plan;
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace scatter_wormhole_best_parts

constinit const Algorithm scatter_wormhole_best = {
    .name = "scatter_wormhole_best",
    .collective = CollectiveKind::kScatter,
    .summary = "sends along the tree of the wormhole broadcast with the fewest steps",
    .source = "ours",
    .remarks =
        "every torus and mesh, all ports, worms in dimension order; as many steps as broadcast_wormhole_best, "
        "so within one of the bound on the same tori",
    .applies = all_port_worm_grid,
    .prepare = by_plan<scatter_wormhole_best_parts::plan_of, scatter_wormhole_best_parts::predicted,
                       scatter_wormhole_best_parts::generate>,
};

}  // namespace quadrille::algorithms
