// Allgather by a gather to the middle of the grid and a broadcast from it: see
// worm_broadcast/worm_messages.h.
//
// Each half takes the fewest steps known for it, so the whole takes at most twice as many as the bound, and
// two more where both halves miss theirs by one. Nobody gets a block twice: in the second half a worm leaves
// out what went through its end in the first.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_wormhole_best;

namespace allgather_wormhole_best_parts {
namespace {

struct Halves {
  WormPlan gather;
  WormPlan broadcast;
};

Halves halves(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  const std::vector<uint32_t> hub = root_position(problem, grid);
  return {plan_worms_backwards(grid.shape(), hub).plan, plan_worms(grid.shape(), hub).plan};
}

Prediction predicted(const Problem& problem, Once<Halves>& made) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  if (!made.is_made() && !is_worth_gathering(problem, grid)) return {};
  const Halves& both = made.get();
  return prediction_of(problem, grid, both.gather, both.broadcast);
}

void generate(const Problem& problem, const Halves& both, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), both.gather, both.broadcast, sink);
}

}  // namespace
}  // namespace allgather_wormhole_best_parts

constinit const Algorithm allgather_wormhole_best = {
    .name = "allgather_wormhole_best",
    .collective = CollectiveKind::kAllgather,
    .summary = "gathers all blocks at a central node, then broadcasts them; both in the fewest steps known",
    .source = "ours",
    .remarks =
        "every torus and mesh, all ports, worms in dimension order; about twice the steps of a broadcast, "
        "which are its bound",
    .applies = all_port_worm_grid,
    .prepare = by_plan<allgather_wormhole_best_parts::halves, allgather_wormhole_best_parts::predicted,
                       allgather_wormhole_best_parts::generate>,
};

}  // namespace quadrille::algorithms
