#include "quadrille/compile/decide_as_it_is.h"

#include <cstdint>
#include <string>
#include <utility>

#include "quadrille/algorithms/graphs/good_enough.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/algorithms/worm_broadcast/worm_planner.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/compile/step_watcher.h"

namespace quadrille {
namespace {

PlanHead head_of(const Problem& problem, const Choice& choice, const std::vector<Bound>& bounds) {
  const Prediction& prediction = choice.prediction;
  PlanHead head{problem,
                choice.name(),
                {prediction.steps, prediction.start_ups, prediction.busiest_link, prediction.critical_blocks},
                {}};
  // The one that the plan is held against comes with its witness, or another one that says as much has one: optimality
  // rests on it.
  const Bound best = best_of(bounds);
  const Bound* proved = nullptr;
  for (const Bound& bound : bounds) {
    if (bound.on != BoundOn::kSteps || !bound.evidence || bound.value.ceil() < best.value.ceil()) continue;
    if (proved == nullptr || bound.name == best.name) proved = &bound;
  }
  for (const Bound& bound : bounds) {
    if (bound.on != BoundOn::kSteps) continue;
    head.bounds.push_back({std::string(bound.name), bound.value});
    if (&bound == proved) head.bounds.back().witness = bound.evidence;
  }
  return head;
}

SearchWishes search_wishes(const Problem& problem, const Wishes& wishes, uint64_t least) {
  SearchWishes out{
      .gap = wishes.gap, .effort = wishes.effort, .of = name_for_searches(problem), .least = least};
  if (wishes.progress == nullptr) return out;
  out.found = [progress = wishes.progress, least](uint64_t steps) { progress->found(steps, least); };
  out.paths_found = [progress = wishes.progress, least](uint64_t steps) {
    progress->paths_found(steps, least);
  };
  return out;
}

}  // namespace

Decision decision_for(const Problem& problem, const std::shared_ptr<const Choice>& choice,
                      std::vector<Bound> bounds, std::shared_ptr<const LaidOutPlan> made) {
  PlanHead head = head_of(problem, *choice, bounds);
  return {.head = std::move(head),
          .reason = choice->reason,
          .runner_up = choice->runner_up,
          .bounds = std::move(bounds),
          .rearranged = choice->rearranged(),
          .choice = choice,
          .made = std::move(made),
          .critical_hops = choice->critical_hops(),
          .further_messages = choice->further_messages()};
}

Decision decision_of(Choice choice) {
  const auto chosen = std::make_shared<const Choice>(std::move(choice));
  const Problem& problem = chosen->plan->problem();
  return decision_for(problem, chosen, all_bounds(problem));
}

Decision decide_as_it_is(const Problem& problem, const Wishes& wishes, bool asks_lenders) {
  const WatchedWork watched(wishes.progress, "choosing an algorithm");
  const SharedFactorExchanges shared;
  const SharedWorms worms;
  std::vector<Bound> bounds = all_bounds(problem);
  const auto least = static_cast<uint64_t>(best_of(bounds).value.ceil());
  const SearchLimits limits(search_wishes(problem, wishes, least));
  ArrayMeter meter(problem, wishes.queues);
  Goal goal(chunk_bytes(problem, wishes.message_bytes()), wishes.bytes.has_value());
  goal.asks_lenders = asks_lenders;
  auto choice = std::make_shared<const Choice>(
      pick_algorithm(problem, wishes.algorithm, goal, good_enough_steps(problem, least),
                     [&meter](const Choice& candidate) { return meter(candidate); }));
  std::shared_ptr<const LaidOutPlan> made = meter.made(*choice);
  return decision_for(problem, choice, std::move(bounds), std::move(made));
}

}  // namespace quadrille
