#include "quadrille/compile/plan_time.h"

#include <algorithm>

namespace quadrille {

bool rearranging_costs(const Problem& problem) { return problem.model().cost.rho > 0; }

PlanTime time_of(const Problem& problem, const Figures& figures, std::span<const Bound> bounds,
                 std::optional<uint64_t> rearranged, uint64_t block_bytes) {
  const CostConstants& cost = problem.model().cost;
  PlanTime out;
  out.total = time_of(cost, figures.start_ups, figures.critical_blocks, rearranged.value_or(0), block_bytes);
  out.latency = time_of(cost, figures.start_ups, 0, 0, block_bytes);
  out.transfer = time_of(cost, 0, figures.critical_blocks, 0, block_bytes);
  if (rearranged) out.rearrangement = time_of(cost, 0, 0, *rearranged, block_bytes);
  const auto starts = static_cast<uint64_t>(best_of(bounds).value.ceil());
  const auto blocks = static_cast<uint64_t>(best_of(bounds, BoundOn::kCriticalBlocks).value.ceil());
  // Every start-up has a block.
  out.least = time_of(cost, starts, std::max(starts, blocks), 0, block_bytes);
  return out;
}

}  // namespace quadrille
