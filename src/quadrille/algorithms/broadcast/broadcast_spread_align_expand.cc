// Broadcast by spreading, aligning once and expanding: see worm_broadcast/worm_spread.h.
#include <fmt/format.h>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_spread.h"

namespace quadrille::algorithms {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = all_port_worm_grid(problem); !fits.applies) return fits;
  if (can_spread(WormGrid::of(problem.topology())->shape())) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a torus with two or more dimensions and equal sides of at least 3; {} is none",
                  problem.topology().name()));
}

Claim claimed(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return claim_of(problem, grid, worm_spread(grid.shape()));
}

void generate(const Problem& problem, StepSink& sink) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  send_worms(problem, grid, worm_spread(grid.shape()), sink);
}

}  // namespace

constinit const Algorithm broadcast_spread_align_expand = {
    .name = "broadcast_spread_align_expand",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "tell a node of every line, align the copies on two diagonals in one step, expand along the others",
    .source = "ours, after broadcasting on all-port wormhole tori 2000",
    .remarks =
        "tori with k >= 2 equal sides n >= 3, all ports, worms in dimension order; 2-D: 1 + ceil(log_5 n) + "
        "ceil(log_5 ceil(n/2)) steps",
    .applies = applies,
    .claimed = claimed,
    .generate = generate,
};

}  // namespace quadrille::algorithms
