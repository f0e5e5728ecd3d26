// Allgather with few ports, by a gather to the middle of the grid and a broadcast from it: see
// worm_broadcast/worm_messages.h.
//
// The gather is limited by the ports to receive, the broadcast by those to send. Nobody gets a block twice.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_wormhole_ports;

namespace allgather_wormhole_ports_parts {
namespace {

struct Halves {
  WormPlan gather;
  WormPlan broadcast;
};

Applicability applies(const Problem& problem) {
  return few_port_worm_grid(problem, "allgather_wormhole_best");
}

Halves halves(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  const std::vector<uint32_t> hub = root_position(problem, grid);
  return {plan_worms_backwards(grid.shape(), hub, receive_limits(problem.model())).plan,
          plan_worms(grid.shape(), hub, send_limits(problem.model())).plan};
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
}  // namespace allgather_wormhole_ports_parts

constinit const Algorithm allgather_wormhole_ports = {
    .name = "allgather_wormhole_ports",
    .collective = CollectiveKind::kAllgather,
    .summary = "gathers all blocks at a central node, then broadcasts them, with p worms of a node in a step",
    .source = "ours",
    .remarks =
        "every torus and mesh, fewer ports than links or half duplex, worms in dimension order; twice the "
        "steps of broadcast_wormhole_ports, with one port 2 ceil(log_2 N)",
    .applies = allgather_wormhole_ports_parts::applies,
    .prepare = by_plan<allgather_wormhole_ports_parts::halves, allgather_wormhole_ports_parts::predicted,
                       allgather_wormhole_ports_parts::generate>,
};

}  // namespace quadrille::algorithms
