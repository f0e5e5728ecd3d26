#include "quadrille/compile/sizes/timed_plans.h"

#include <algorithm>
#include <utility>

#include "quadrille/compile/lending/lend_in_order.h"

namespace quadrille {
namespace {

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

SizedPlan sized_choice(const Choice& choice) {
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

ChosenByTime::ChosenByTime(const Problem& problem, const LeastTime& least, unsigned threads) : least_(least) {
  if (is_chosen_by_time(problem)) lending_ = std::make_unique<TimedLending>(problem, threads);
  if (is_in_order_by_time(problem)) in_order_ = problem;
}

std::optional<SizedPlan> ChosenByTime::operator()(uint64_t bytes, double limit) {
  std::optional<Choice> choice;
  if (lending_) choice = lending_->best_for(bytes, least_(bytes).time, limit);
  if (in_order_) choice = in_order_by_time(*in_order_, bytes);
  return choice ? std::optional(sized_choice(*choice)) : std::nullopt;
}

std::vector<std::optional<SizedPlan>> chosen_by_time(const Problem& problem, std::span<const uint64_t> sizes,
                                                     const LeastTime& least, unsigned threads) {
  ChosenByTime chosen(problem, least, threads);
  std::vector<std::optional<SizedPlan>> out;
  for (const uint64_t bytes : sizes) out.push_back(chosen(bytes));
  return out;
}

size_t place_of(const SizedPlan& plan, std::vector<SizedPlan>& plans) {
  if (const std::optional<size_t> known = find(plans, plan)) return *known;
  plans.push_back(plan);
  return plans.size() - 1;
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
