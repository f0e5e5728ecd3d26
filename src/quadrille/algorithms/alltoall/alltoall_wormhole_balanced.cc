// Total exchange by worms along paths that share the work of all links.
//
// See packing/worms/balanced_worms.h. A step has one block for a link and for a port: as many start-ups as rounds, which is
// what large blocks want.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/worms/balanced_worms.h"
#include "quadrille/algorithms/packing/worms/worm_packing.h"
#include "quadrille/base/text.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_wormhole_balanced;

namespace alltoall_wormhole_balanced_parts {
namespace {

constexpr uint64_t kMostPairs = uint64_t{1} << 20U;
constexpr uint64_t kMostPacked = uint64_t{1} << 27U;  // pairs times steps: a second, or two

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it is for worms that share no link");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  const uint64_t ranks = problem.topology().num_endpoints();
  if (ranks * ranks <= kMostPairs) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} pairs of ranks, {} has {}",
                                       with_thousands(kMostPairs), problem.title(),
                                       with_thousands(ranks * ranks)));
}

// For large blocks: whoever counts steps alone has plans of fewer.
Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (!WorthMaking::is_by_time() || problem.collective().pieces() > 1) return {};
  const uint64_t ranks = problem.topology().num_endpoints();
  const uint64_t rounds = worm_rounds_at_least(problem);
  if (!WorthMaking::is_any_of(rounds, rounds) || ranks * ranks * rounds > kMostPacked) return {};
  return plan.get().prediction();
}

}  // namespace
}  // namespace alltoall_wormhole_balanced_parts

constinit const Algorithm alltoall_wormhole_balanced = {
    .name = "alltoall_wormhole_balanced",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "worms along paths that share the work of all links, packed into steps in the best of several orders",
    .source = "ours; prices after Garg and Koenemann 2007, packing after Culberson 1992",
    .remarks =
        "any graph, any capacities and ports; for large blocks, since a step moves one of them over a link",
    .is_asked_last = true,
    .applies = alltoall_wormhole_balanced_parts::applies,
    .prepare = by_measuring<alltoall_wormhole_balanced_parts::predicted, balanced_worms>,
};

}  // namespace quadrille::algorithms
