#include "quadrille/compile/sizes/large_plans.h"

#include <algorithm>
#include <limits>

#include "quadrille/algorithms/packing/timed/kept_paths.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/kept/kept_bounds.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/lending/by_time/large_by_time.h"
#include "quadrille/compile/sizes/size_ranking.h"
#include "quadrille/compile/sizes/timed_plans.h"
#include "quadrille/model/model.h"

namespace quadrille {
namespace {

std::optional<SizedPlan> sized(const Decision& decision) {
  const Problem& problem = decision.head.problem;
  const StatedFigures& figures = decision.head.stated_figures;
  std::optional<uint64_t> start_ups = figures.start_ups ? figures.start_ups : figures.steps;
  std::optional<uint64_t> rounds = figures.critical_blocks;
  if (!rounds && sends_single_packets(problem.model())) rounds = start_ups;
  if (!start_ups || !rounds) {
    const std::optional<Figures> figures_of_plan = judged_figures(decision);
    if (!figures_of_plan) return std::nullopt;
    start_ups = figures_of_plan->start_ups;
    rounds = figures_of_plan->critical_blocks;
  }
  return SizedPlan{.algorithm = decision.head.algorithm,
                   .pieces = problem.collective().pieces(),
                   .start_ups = *start_ups,
                   .rounds = *rounds,
                   .hops = decision.critical_hops,
                   .rearranged = decision.rearranged,
                   .further_messages = decision.further_messages,
                   .effort = decision.choice->plan->effort()};
}

}  // namespace

std::optional<SizedPlan> decided_plan(const Problem& problem, uint64_t bytes) {
  try {
    return sized(decide(problem, {.bytes = bytes, .any_pieces = true}));
  } catch (const InputError&) {
    return std::nullopt;  // nothing serves it
  }
}

std::vector<std::optional<SizedPlan>> chosen_at_large(const Problem& problem, std::span<const uint64_t> sizes,
                                                      std::span<const SizedPlan> plans,
                                                      const LeastTime& least, unsigned threads) {
  std::vector<std::optional<SizedPlan>> out(sizes.size());
  if (!is_large_for_sizes(problem) || problem.topology().is_outline() || sizes.empty()) return out;
  const KeptBounds kept_bounds;
  const KeptPaths kept_paths;
  const CostConstants& cost = problem.model().cost;
  const auto known = [&](uint64_t bytes) {
    double time = std::numeric_limits<double>::infinity();
    for (const SizedPlan& plan : plans)
      if (!plan.model_only && is_known(problem, plan)) time = std::min(time, plan.time(cost, bytes));
    for (const std::optional<SizedPlan>* end : {&out.front(), &out.back()})
      if (*end) time = std::min(time, (*end)->time(cost, bytes));
    return time;
  };
  const auto may_be_faster = [&](uint64_t bytes) { return known(bytes) > least(bytes).time * (1 + 1e-9); };
  for (const size_t end : {size_t{0}, sizes.size() - 1})
    if (!out[end] && may_be_faster(sizes[end])) out[end] = decided_plan(problem, sizes[end]);
  if (!is_chosen_by_time_at_large(problem)) return out;
  LargeByTime lenders(problem, threads);
  for (size_t i = 1; i + 1 < sizes.size(); ++i) {
    if (!may_be_faster(sizes[i])) continue;
    if (const std::optional<Choice> lent = lenders.best_for(sizes[i], known(sizes[i])))
      out[i] = sized_choice(*lent);
  }
  return out;
}

}  // namespace quadrille
