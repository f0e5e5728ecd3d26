// Allgather by a gather to the middle of the grid and a broadcast from it: see
// worm_broadcast/worm_messages.h.
//
// Each half takes the fewest steps known for it, so the whole takes at most twice as many as the bound, and
// two more where both halves miss theirs by one. Nobody gets a block twice: in the second half a worm leaves
// out what went through its end in the first.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {
namespace {

struct Halves {
  WormPlan gather;
  WormPlan broadcast;
};

Halves halves(const Problem& problem, const WormGrid& grid) {
  const std::vector<uint32_t> hub = root_position(problem, grid);
  return {plan_worms_backwards(grid.shape(), hub).plan, plan_worms(grid.shape(), hub).plan};
}

Claim claimed(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  const Halves both = halves(problem, grid);
  return claim_of(problem, grid, both.gather, both.broadcast);
}

void generate(const Problem& problem, StepSink& sink) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  const Halves both = halves(problem, grid);
  send_worms(problem, grid, both.gather, both.broadcast, sink);
}

}  // namespace

constinit const Algorithm allgather_wormhole_best = {
    .name = "allgather_wormhole_best",
    .collective = CollectiveKind::kAllgather,
    .summary = "gather to the middle, broadcast from it, each in the fewest steps known",
    .source = "ours",
    .remarks =
        "every torus and mesh, all ports, worms in dimension order; about twice the steps of a broadcast, "
        "which are its bound",
    .applies = all_port_worm_grid,
    .claimed = claimed,
    .generate = generate,
};

}  // namespace quadrille::algorithms
