#include "quadrille/compile/choice_cost.h"

#include <limits>

#include "quadrille/compile/plan_time.h"

namespace quadrille {

bool is_priced(const Problem& problem) {
  const CollectiveKind kind = problem.collective().kind();
  return takes_paths(problem.model()) &&
         (kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAlltoallv);
}

bool has_both(const Prediction& prediction) { return prediction.start_ups && prediction.critical_blocks; }

std::optional<uint64_t> rearranged_by(const Prediction& prediction) {
  if (prediction.rearranged || !has_both(prediction) || *prediction.start_ups != *prediction.critical_blocks)
    return prediction.rearranged;
  return 0;
}

std::optional<uint64_t> hops_by(const Prediction& prediction, const Problem& problem) {
  if (prediction.critical_hops || takes_paths(problem.model())) return prediction.critical_hops;
  return prediction.start_ups;
}

std::optional<uint64_t> further_messages_by(const Prediction& prediction, const Problem& problem) {
  const bool one = problem.model().send == kOnePort && problem.model().receive == kOnePort;
  if (prediction.further_messages || !one) return prediction.further_messages;
  return 0;
}

bool is_uncertain(const Prediction& prediction, const Problem& problem) {
  return (rearranging_costs(problem) && !rearranged_by(prediction)) ||
         (hops_cost(problem) && !hops_by(prediction, problem)) ||
         (messages_cost(problem) && !further_messages_by(prediction, problem));
}

double price(const Prediction& prediction, const Problem& problem, uint64_t block_bytes) {
  return time_of(problem.model().cost,
                 {.start_ups = *prediction.start_ups,
                  .critical_blocks = *prediction.critical_blocks,
                  .critical_hops = hops_by(prediction, problem).value_or(0),
                  .rearranged = rearranged_by(prediction).value_or(0),
                  .further_messages = further_messages_by(prediction, problem).value_or(0)},
                 block_bytes);
}

ChoiceCost cost_of(const Prediction& prediction, const Problem& problem, uint64_t block_bytes) {
  if (!is_priced(problem)) {
    // Of as many steps those in which less goes over a link at once.
    const uint64_t blocks =
        carries_many(problem.model()) ? prediction.critical_blocks.value_or(UINT64_MAX) : 0;
    return {false, 0.0, prediction.steps.value_or(UINT64_MAX), blocks};
  }
  if (!has_both(prediction)) return {true, std::numeric_limits<double>::infinity(), UINT64_MAX, UINT64_MAX};
  return {is_uncertain(prediction, problem), price(prediction, problem, block_bytes), *prediction.start_ups,
          *prediction.critical_blocks};
}

}  // namespace quadrille
