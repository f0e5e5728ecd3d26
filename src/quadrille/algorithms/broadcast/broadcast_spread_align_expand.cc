// Broadcast by spreading, aligning once and expanding: see worm_broadcast/worm_spread.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_spread.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_spread_align_expand;

namespace broadcast_spread_align_expand_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = all_port_worm_grid(problem); !fits.applies) return fits;
  if (can_spread(*WormGrid::shape_of(problem.topology()))) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus with two or more dimensions and equal sides of at least 3; {} is none",
                  problem.topology().name()));
}

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return worm_spread(grid.shape());
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace broadcast_spread_align_expand_parts

constinit const Algorithm broadcast_spread_align_expand = {
    .name = "broadcast_spread_align_expand",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "informs one node of every line, aligns the copies on two diagonals in one step, then expands along the others",
    .source = "ours, after broadcasting on all-port wormhole tori 2000",
    .remarks =
        "tori with k >= 2 equal sides n >= 3, all ports, worms in dimension order; 2-D: 1 + ceil(log_5 n) + "
        "ceil(log_5 ceil(n/2)) steps",
    .applies = broadcast_spread_align_expand_parts::applies,
    .prepare =
        by_plan<broadcast_spread_align_expand_parts::plan_of, broadcast_spread_align_expand_parts::predicted,
                broadcast_spread_align_expand_parts::generate>,
};

}  // namespace quadrille::algorithms
