// Broadcast by the method that takes the fewest steps: see worm_broadcast/worm_planner.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_wormhole_best;

namespace broadcast_wormhole_best_parts {
namespace {

WormProspect prospect_of(const Problem& problem) {
  return find_worms(*WormGrid::shape_of(problem.topology()), root_position(problem));
}

Prediction predicted(const Problem& problem, const WormProspect& best) {
  const uint64_t steps = best.steps;
  return {.steps = steps, .start_ups = steps, .critical_blocks = steps * problem.collective().pieces()};
}

void generate(const Problem& problem, const WormProspect& best, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), best.make(), sink);
}

}  // namespace
}  // namespace broadcast_wormhole_best_parts

constinit const Algorithm broadcast_wormhole_best = {
    .name = "broadcast_wormhole_best",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "the fewest steps of all methods here: boxes, spans, spread-align-expand, stored small tori, compositions",
    .source = "ours",
    .remarks =
        "every torus and mesh, all ports, worms in dimension order; within one step of the bound on all 2-D "
        "tori up to 128 x 128 and 3-D tori up to 32^3",
    .counts_alone = true,
    .applies = all_port_worm_grid,
    .prepare = by_plan<broadcast_wormhole_best_parts::prospect_of, broadcast_wormhole_best_parts::predicted,
                       broadcast_wormhole_best_parts::generate>,
};

}  // namespace quadrille::algorithms
