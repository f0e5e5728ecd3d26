#include "quadrille/compile/sizes/timed_plans.h"

#include <algorithm>
#include <utility>

#include "quadrille/compile/lending/timed_lending.h"

namespace quadrille {
namespace {

SizedPlan sized(const Choice& choice) {
  const Prediction& known = choice.prediction;
  const Problem& problem = choice.plan->problem();
  const uint64_t start_ups = known.start_ups ? *known.start_ups : known.steps.value_or(0);
  return {.algorithm = choice.name(),
          .pieces = problem.collective().pieces(),
          .start_ups = start_ups,
          .rounds = known.critical_blocks.value_or(start_ups),
          .hops = choice.critical_hops(),
          .rearranged = choice.rearranged(),
          .further_messages = choice.further_messages(),
          .effort = choice.plan->effort()};
}

bool is_same(const SizedPlan& a, const SizedPlan& b) {
  return a.algorithm == b.algorithm && a.pieces == b.pieces && a.start_ups == b.start_ups &&
         a.rounds == b.rounds && a.model_only == b.model_only;
}

std::optional<size_t> find(const std::vector<SizedPlan>& plans, const SizedPlan& plan) {
  const auto at = std::ranges::find_if(plans, [&](const SizedPlan& other) { return is_same(other, plan); });
  if (at == plans.end()) return std::nullopt;
  return static_cast<size_t>(at - plans.begin());
}

}  // namespace

std::vector<std::optional<SizedPlan>> chosen_by_time(const Problem& problem, std::span<const uint64_t> sizes,
                                                     const LeastTime& least, unsigned threads) {
  std::vector<std::optional<SizedPlan>> out(sizes.size());
  if (!is_chosen_by_time(problem)) return out;
  TimedLending lending(problem, threads);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (const std::optional<Choice> choice = lending.best_for(sizes[i], least(sizes[i]).time))
      out[i] = sized(*choice);
  }
  return out;
}

std::vector<std::optional<size_t>> add_chosen(const std::vector<std::optional<SizedPlan>>& chosen,
                                              std::vector<SizedPlan>& plans) {
  for (const std::optional<SizedPlan>& plan : chosen)
    if (plan && !find(plans, *plan)) plans.push_back(*plan);
  std::ranges::stable_sort(plans, {}, &SizedPlan::start_ups);
  std::vector<std::optional<size_t>> out;
  for (const std::optional<SizedPlan>& plan : chosen) out.push_back(plan ? find(plans, *plan) : std::nullopt);
  return out;
}

}  // namespace quadrille
