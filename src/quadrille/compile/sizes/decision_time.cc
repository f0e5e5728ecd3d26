#include "quadrille/compile/sizes/decision_time.h"

#include "quadrille/compile/array_meter.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/plan_time.h"

namespace quadrille {

std::optional<double> time_of_decision(const Decision& decision, uint64_t bytes) {
  const Problem& problem = decision.head.problem;
  const StatedFigures& figures = decision.head.stated_figures;
  const std::optional<uint64_t> starts = figures.start_ups ? figures.start_ups : figures.steps;
  const std::optional<uint64_t> rounds =
      figures.critical_blocks || !sends_single_packets(problem.model()) ? figures.critical_blocks : starts;
  if (!starts || !rounds) return std::nullopt;
  MeasuredCost others{decision.rearranged, decision.critical_hops, decision.further_messages};
  const auto is_known = [&] {
    return (others.rearranged || !rearranging_costs(problem)) &&
           (others.critical_hops || !hops_cost(problem)) &&
           (others.further_messages || !messages_cost(problem));
  };
  if (!is_known()) {
    if (problem.topology().is_outline()) return std::nullopt;
    ArrayMeter meter(problem);
    others = meter(*decision.choice);
    if (!is_known()) return std::nullopt;
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
