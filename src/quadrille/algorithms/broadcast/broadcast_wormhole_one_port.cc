// Broadcast by worms with one port, doubling in every step: see worm_broadcast/worm_parts.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_parts.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_wormhole_one_port;

namespace broadcast_wormhole_one_port_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Topology& topology = problem.topology();
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it needs wormhole switching: its worms take whole paths in one step");
  if (topology.has_routers())
    return Applicability::no(
        fmt::format("it needs every node to take part; {} has routers", topology.name()));
  if (WormGrid::shape_of(topology)) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus or a mesh, of any sides; {} is none", topology.name()));
}

uint32_t doublings(const Problem& problem) {
  uint32_t steps = 0;
  while ((uint64_t{1} << steps) < problem.topology().num_nodes()) ++steps;
  return steps;
}

Prediction predicted(const Problem& problem, const WormPlan&) {
  const uint64_t steps = doublings(problem);
  return {.steps = steps, .start_ups = steps, .critical_blocks = steps * problem.collective().pieces()};
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

// Composed of patterns and rows, whose worms are not listed.
Preparation of_outline(const Problem& problem) {
  return Preparation::of(kept(
      problem, find_worms(*WormGrid::shape_of(problem.topology()), root_position(problem), {.sends = 1}),
      [](const Problem& p, const WormProspect& found) {
        const uint64_t steps = found.steps;
        return Prediction{
            .steps = steps, .start_ups = steps, .critical_blocks = steps * p.collective().pieces()};
      },
      [](const Problem& p, const WormProspect& found, StepSink& sink) { generate(p, found.make(), sink); }));
}

Preparation prepare(const Problem& problem) {
  if (problem.topology().is_outline()) return of_outline(problem);
  const WormGrid grid = *WormGrid::of(problem.topology());
  std::optional<WormPlan> plan =
      worm_parts(grid.shape(), root_position(problem, grid), 1, doublings(problem));
  if (plan) return Preparation::of(kept(problem, *std::move(plan), predicted, generate));
  return Preparation::no(fmt::format("its search found no halving of {} from this root within its budget",
                                     problem.topology().name()));
}

}  // namespace
}  // namespace broadcast_wormhole_one_port_parts

constinit const Algorithm broadcast_wormhole_one_port = {
    .name = "broadcast_wormhole_one_port",
    .collective = CollectiveKind::kBroadcast,
    .summary = "recursive halving of a snake through the grid; worms stay within their own half",
    .source =
        "recursive doubling, folklore; McKinley, Xu, Esfahanian and Ni 1994 for meshes; tori with the short "
        "way round: ours",
    .remarks =
        "every torus and mesh, one port, full or half duplex, worms in dimension order; ceil(log_2 N) steps, "
        "optimal with one port",
    .counts_alone = true,
    .applies = broadcast_wormhole_one_port_parts::applies,
    .prepare = broadcast_wormhole_one_port_parts::prepare,
};

}  // namespace quadrille::algorithms
