// Scatter along the tree of a broadcast by worms with few ports: see worm_broadcast/worm_planner.h.
//
// The steps are those of the broadcast; the first worms are long.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_wormhole_ports;

namespace scatter_wormhole_ports_parts {
namespace {

Applicability applies(const Problem& problem) { return few_port_worm_grid(problem, "scatter_wormhole_best"); }

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return plan_worms(grid.shape(), root_position(problem, grid), send_limits(problem.model())).plan;
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace scatter_wormhole_ports_parts

constinit const Algorithm scatter_wormhole_ports = {
    .name = "scatter_wormhole_ports",
    .collective = CollectiveKind::kScatter,
    .summary = "sends along the tree of the wormhole broadcast with p worms of a node in a step",
    .source = "ours",
    .remarks =
        "every torus and mesh, fewer ports than links or half duplex, worms in dimension order; as many steps as broadcast_wormhole_ports, with one port ceil(log_2 N)",
    .applies = scatter_wormhole_ports_parts::applies,
    .prepare = by_plan<scatter_wormhole_ports_parts::plan_of, scatter_wormhole_ports_parts::predicted,
                       scatter_wormhole_ports_parts::generate>,
};

}  // namespace quadrille::algorithms
