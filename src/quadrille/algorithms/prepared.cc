#include "quadrille/algorithms/prepared.h"

#include <tuple>

#include "quadrille/base/check.h"

namespace quadrille {

Effort some_at_large(const Problem& problem) {
  constexpr uint32_t kFewNodes = 128;
  return problem.topology().num_nodes() > kFewNodes ? Effort::kSome : Effort::kLittle;
}

Prediction Prepared::prediction() {
  if (!prediction_) prediction_ = predicted_(problem_);
  return *prediction_;
}

PreparedPlan Preparation::find(std::string_view member) const {
  for (const PreparedPlan& plan : plans) {
    if (plan->member() == member) return plan;
  }
  return nullptr;
}

const PreparedPlan& cheapest(std::span<const PreparedPlan> plans, uint64_t block_bytes) {
  QUADRILLE_CHECK(!plans.empty(), "nothing is prepared");
  if (plans.size() == 1) return plans.front();
  const auto key = [block_bytes](const PreparedPlan& plan) {
    const Prediction prediction = plan->prediction();
    const uint64_t start_ups = prediction.start_ups.value_or(UINT64_MAX);
    const uint64_t blocks = prediction.critical_blocks.value_or(UINT64_MAX);
    const double time = time_of(plan->problem().model().cost,
                                {.start_ups = start_ups,
                                 .critical_blocks = blocks,
                                 .critical_hops = prediction.critical_hops.value_or(0),
                                 .rearranged = prediction.rearranged.value_or(0),
                                 .further_messages = prediction.further_messages.value_or(0)},
                                block_bytes);
    return std::tuple(time, start_ups, blocks);
  };
  const PreparedPlan* best = &plans.front();
  auto least = key(*best);
  for (const PreparedPlan& plan : plans.subspan(1)) {
    // Start-ups alone cost more: what else it takes need not be found out.
    const double at_least =
        time_of(plan->problem().model().cost, {.start_ups = plan->least_start_ups()}, block_bytes);
    if (at_least > std::get<0>(least)) continue;
    const auto of_plan = key(plan);
    if (of_plan >= least) continue;
    best = &plan;
    least = of_plan;
  }
  return *best;
}

}  // namespace quadrille
