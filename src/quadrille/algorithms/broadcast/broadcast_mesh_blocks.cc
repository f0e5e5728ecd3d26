// Broadcast by cutting boxes: see worm_broadcast/worm_blocks.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_mesh_blocks;

namespace broadcast_mesh_blocks_parts {
namespace {

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return worm_blocks(grid.shape(), root_position(problem, grid));
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace broadcast_mesh_blocks_parts

constinit const Algorithm broadcast_mesh_blocks = {
    .name = "broadcast_mesh_blocks",
    .collective = CollectiveKind::kBroadcast,
    .summary = "each informed node cuts its box of the grid into 2k+1 boxes and informs one node in each",
    .source = "ours",
    .remarks =
        "every torus and mesh, whatever its sides, all ports, worms in dimension order; cuttings are searched "
        "for within a fixed budget",
    .applies = all_port_worm_grid,
    .prepare = by_search<broadcast_mesh_blocks_parts::plan_of, broadcast_mesh_blocks_parts::predicted,
                         broadcast_mesh_blocks_parts::generate>,
};

}  // namespace quadrille::algorithms
