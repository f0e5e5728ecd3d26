// Broadcast by worms with any number of ports between one and all: see worm_broadcast/worm_planner.h.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_wormhole_ports;

namespace broadcast_wormhole_ports_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = few_port_worm_grid(problem, "broadcast_wormhole_best"); !fits.applies) return fits;
  if (problem.model().send != kOnePort) return Applicability::yes();
  return Applicability::no("it needs two ports to send or more; with one broadcast_wormhole_one_port serves");
}

WormProspect prospect_of(const Problem& problem) {
  return find_worms(*WormGrid::shape_of(problem.topology()), root_position(problem),
                    send_limits(problem.model()));
}

Prediction predicted(const Problem& problem, const WormProspect& best) {
  const uint64_t steps = best.steps;
  return {.steps = steps, .start_ups = steps, .critical_blocks = steps * problem.collective().pieces()};
}

void generate(const Problem& problem, const WormProspect& best, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), best.make(), sink);
}

}  // namespace
}  // namespace broadcast_wormhole_ports_parts

constinit const Algorithm broadcast_wormhole_ports = {
    .name = "broadcast_wormhole_ports",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "p worms of a node in a step, 1 < p < 2k: a row cut in three, boxes, and patterns of one step repeated all over",
    .source = "the extension to any number of ports that Wang, Tseng 2000 leave open; methods ours",
    .remarks =
        "every torus and mesh, worms in dimension order, any ports to receive, half duplex with any ports; on "
        "n x n tori up to 40 x 40 ceil(log_3 N) steps with two ports, and with three ceil(log_4 N), one more "
        "for n = 7, 13..15, 26..31",
    .counts_alone = true,
    .applies = broadcast_wormhole_ports_parts::applies,
    .prepare = by_plan<broadcast_wormhole_ports_parts::prospect_of, broadcast_wormhole_ports_parts::predicted,
                       broadcast_wormhole_ports_parts::generate>,
};

}  // namespace quadrille::algorithms
