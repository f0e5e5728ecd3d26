#include "quadrille/compile/sizes/decision_time.h"

#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {

namespace {

MeasuredCost costs_of(const Decision& decision) {
  return {decision.rearranged, decision.critical_hops, decision.further_messages};
}

bool are_known(const Problem& problem, const MeasuredCost& costs) {
  return (costs.rearranged || !rearranging_costs(problem)) && (costs.critical_hops || !hops_cost(problem)) &&
         (costs.further_messages || !messages_cost(problem));
}

}  // namespace

void measure(Decision& decision, bool queues) {
  const Problem& problem = decision.head.problem;
  if (decision.made || problem.topology().is_outline() || are_known(problem, costs_of(decision))) return;
  ArrayMeter meter(problem, queues);
  const MeasuredCost costs = meter(*decision.choice);
  if (!decision.rearranged) decision.rearranged = costs.rearranged;
  if (!decision.critical_hops) decision.critical_hops = costs.critical_hops;
  if (!decision.further_messages) decision.further_messages = costs.further_messages;
  decision.made = meter.made(*decision.choice);
}

std::optional<double> time_of_decision(const Decision& decision, uint64_t bytes) {
  const Problem& problem = decision.head.problem;
  const StatedFigures& figures = decision.head.stated_figures;
  const std::optional<uint64_t> starts = figures.start_ups ? figures.start_ups : figures.steps;
  const std::optional<uint64_t> rounds =
      figures.critical_blocks || !sends_single_packets(problem.model()) ? figures.critical_blocks : starts;
  if (!starts || !rounds) return std::nullopt;
  MeasuredCost others = costs_of(decision);
  if (!are_known(problem, others)) {
    if (problem.topology().is_outline()) return std::nullopt;
    ArrayMeter meter(problem);
    others = meter(*decision.choice);
    if (!are_known(problem, others)) return std::nullopt;
  }
  return time_of(problem.model().cost,
                 {.start_ups = *starts,
                  .critical_blocks = *rounds,
                  .critical_hops = others.critical_hops.value_or(0),
                  .rearranged = others.rearranged.value_or(0),
                  .further_messages = others.further_messages.value_or(0)},
                 chunk_bytes(problem, bytes));
}

std::optional<double> time_of_plan(const Decision& decision, uint64_t bytes) {
  if (const std::optional<double> time = time_of_decision(decision, bytes)) return time;
  const Problem& problem = decision.head.problem;
  if (rearranging_costs(problem)) return std::nullopt;
  const std::optional<Figures> figures = judged_figures(decision);
  if (!figures) return std::nullopt;
  return time_of(problem, *figures, decision.bounds, std::nullopt, bytes).total;
}

}  // namespace quadrille
