#include "quadrille/compile/plan_time.h"

#include <algorithm>

namespace quadrille {

bool rearranging_costs(const Problem& problem) { return problem.model().cost.rho > 0; }
bool hops_cost(const Problem& problem) { return problem.model().cost.tl > 0; }

PlanTime time_of(const Problem& problem, const Figures& figures, std::span<const Bound> bounds,
                 std::optional<uint64_t> rearranged, uint64_t block_bytes) {
  const CostConstants& cost = problem.model().cost;
  PlanTime out;
  const auto time = [&](const TimedFigures& parts) { return time_of(cost, parts, block_bytes); };
  out.total =
      time({figures.start_ups, figures.critical_blocks, figures.critical_hops, rearranged.value_or(0)});
  out.latency = time({.start_ups = figures.start_ups});
  out.propagation = time({.critical_hops = figures.critical_hops});
  out.transfer = time({.critical_blocks = figures.critical_blocks});
  if (rearranged) out.rearrangement = time({.rearranged = *rearranged});
  const auto starts = static_cast<uint64_t>(best_of(bounds).value.ceil());
  const auto blocks = static_cast<uint64_t>(best_of(bounds, BoundOn::kCriticalBlocks).value.ceil());
  // Every start-up has a block, and goes somewhere.
  out.least =
      time({.start_ups = starts, .critical_blocks = std::max(starts, blocks), .critical_hops = starts});
  return out;
}

}  // namespace quadrille
