// Broadcast by cutting boxes: see worm_broadcast/worm_blocks.h.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"

namespace quadrille::algorithms {
namespace {

Claim claimed(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return claim_of(problem, grid, worm_blocks(grid.shape(), root_position(problem, grid)));
}

void generate(const Problem& problem, StepSink& sink) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  send_worms(problem, grid, worm_blocks(grid.shape(), root_position(problem, grid)), sink);
}

}  // namespace

constinit const Algorithm broadcast_mesh_blocks = {
    .name = "broadcast_mesh_blocks",
    .collective = CollectiveKind::kBroadcast,
    .summary = "whoever knows cuts its box into 2k+1 boxes and tells one node in each, again and again",
    .source = "ours",
    .remarks =
        "every torus and mesh, whatever its sides, all ports, worms in dimension order; cuttings are "
        "searched "
        "for within a fixed budget",
    .applies = all_port_worm_grid,
    .claimed = claimed,
    .generate = generate,
    .claimed_by_work = true,
};

}  // namespace quadrille::algorithms
