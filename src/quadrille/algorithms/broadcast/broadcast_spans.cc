// Broadcast by spans: see worm_broadcast/worm_spans.h.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/worm_broadcast/worm_messages.h"
#include "quadrille/algorithms/worm_broadcast/worm_spans.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_spans;

namespace broadcast_spans_parts {
namespace {

Applicability applies(const Problem& problem) {
  if (Applicability fits = all_port_worm_grid(problem); !fits.applies) return fits;
  const GridShape shape = *WormGrid::shape_of(problem.topology());
  if (shape.is_square_torus()) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs a torus with equal sides of at least 2; {} has not, see broadcast_mesh_blocks for any sides",
      problem.topology().name()));
}

WormPlan plan_of(const Problem& problem) {
  const WormGrid grid = *WormGrid::of(problem.topology());
  return worm_spans(grid.shape());
}

Prediction predicted(const Problem& problem, const WormPlan& plan) {
  return prediction_of(problem, *WormGrid::of(problem.topology()), plan);
}

void generate(const Problem& problem, const WormPlan& plan, StepSink& sink) {
  send_worms(problem, *WormGrid::of(problem.topology()), plan, sink);
}

}  // namespace
}  // namespace broadcast_spans_parts

constinit const Algorithm broadcast_spans = {
    .name = "broadcast_spans",
    .collective = CollectiveKind::kBroadcast,
    .summary =
        "multiplies the informed nodes by spans of k vectors: along a ring in 2k+1 strips, then one aligning step",
    .source =
        "broadcasting on all-port wormhole tori 2000, theorem 2; the rule for sides that are no power of 2k+1 "
        "is ours",
    .remarks =
        "tori with k equal sides n, all ports, worms in dimension order; k ceil(log_(2k+1) n) + (k-1) steps "
        "for n >= 4, k for n = 2, 3; at most 2(k-1) from the bound",
    .applies = broadcast_spans_parts::applies,
    .prepare = by_plan<broadcast_spans_parts::plan_of, broadcast_spans_parts::predicted,
                       broadcast_spans_parts::generate>,
};

}  // namespace quadrille::algorithms
