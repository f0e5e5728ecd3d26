// Total exchange of unequal counts by worms along paths that share the work of all links, a worm for each block.
//
// See packing/worms/balanced_worms.h. A pair of many blocks has many worms, so that large blocks do not wait for the largest
// count of a step; whoever has small blocks sends those of a pair together (alltoallv_direct).
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/worms/balanced_worms.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_wormhole_balanced;

namespace alltoallv_wormhole_balanced_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 20U;
constexpr uint64_t kMostMeasured = uint64_t{1} << 16U;

Applicability applies(const Problem& problem) {
  if (problem.model().switching != Switching::kWormhole)
    return Applicability::no("it is for worms that share no link");
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its worms take any path, and the routing is restricted");
  const uint64_t blocks = problem.collective().num_blocks();
  if (blocks <= kMostBlocks) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every block: at most {} of them, {} has {}",
                                       with_thousands(kMostBlocks), problem.title(), with_thousands(blocks)));
}

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  return problem.collective().num_blocks() <= kMostMeasured ? plan.get().prediction() : Prediction{};
}

}  // namespace
}  // namespace alltoallv_wormhole_balanced_parts

constinit const Algorithm alltoallv_wormhole_balanced = {
    .name = "alltoallv_wormhole_balanced",
    .collective = CollectiveKind::kAlltoallv,
    .summary =
        "a worm for each block, along paths that share the work of all links, packed into steps in the best of several orders",
    .source = "ours; prices after Garg and Koenemann 2007, packing after Culberson 1992",
    .remarks = "any graph, any counts, any capacities and ports; for large blocks",
    .is_asked_last = true,
    .applies = alltoallv_wormhole_balanced_parts::applies,
    .prepare = by_measuring<alltoallv_wormhole_balanced_parts::predicted, balanced_worms>,
};

}  // namespace quadrille::algorithms
