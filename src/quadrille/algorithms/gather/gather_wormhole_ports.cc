// Gather up the tree of a broadcast by worms with few ports: see worm_broadcast/worm_planner.h.
//
// Who sends p worms in the broadcast receives p here. The broadcast is planned with the dimensions in reverse
// order, and its worms, backwards, are in dimension order.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm gather_wormhole_ports;

namespace gather_wormhole_ports_parts {
namespace {

Applicability applies(const Problem& problem) { return few_port_worm_grid(problem, "gather_wormhole_best"); }

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return plan_worms_backwards(grid.shape(), root_position(problem, grid), receive_limits(problem.model()))
      .plan;
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace gather_wormhole_ports_parts

constinit const Algorithm gather_wormhole_ports = {
    .name = "gather_wormhole_ports",
    .collective = CollectiveKind::kGather,
    .summary = "the wormhole scatter with p ports, reversed, with the dimensions in reverse order",
    .source = "ours",
    .remarks =
        "every torus and mesh, fewer ports than links or half duplex, worms in dimension order; with p ports to receive as many steps as a broadcast with p to send, with one port ceil(log_2 N)",
    .applies = gather_wormhole_ports_parts::applies,
    .prepare = by_plan<gather_wormhole_ports_parts::plan_of, gather_wormhole_ports_parts::predicted,
                       gather_wormhole_ports_parts::generate>,
};

}  // namespace quadrille::algorithms
