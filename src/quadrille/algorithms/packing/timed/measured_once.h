// Measured once: of a plan that is soon made, but not in no time, what was measured is kept for a whole decision. Lenders, fewer ports
// and other models ask for the same one up to ten times, and as a rule it loses.
//
//     Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
//       if (!is_worth_it(problem)) return {};                 // first: what others have measured is no reason to say more
//       return measured_once<generate>(problem, plan);
//     }
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/timed/kept_paths.h"

namespace quadrille {

/// `generate` goes by the problem alone, whatever is worth making.
template <void (*kGenerate)(const Problem&, StepSink&)>
[[nodiscard]] Prediction measured_once(const Problem& problem, Once<MeasuredPlan>& plan) {
  if (plan.is_made()) return plan.get().prediction();
  if (const std::optional<Prediction> before = KeptPaths::figures(problem, kGenerate, "")) return *before;
  const Prediction measured = plan.get().prediction();
  KeptPaths::keep_figures(problem, kGenerate, "", measured);
  return measured;
}

/// measured_up_to() and measured_rounds() (measured_plan.h) of such a plan.
template <uint32_t kMostRanks, void (*kGenerate)(const Problem&, StepSink&)>
[[nodiscard]] Prediction measured_once_up_to(const Problem& problem, Once<MeasuredPlan>& plan) {
  return is_quick_to_measure(problem, kMostRanks) ? measured_once<kGenerate>(problem, plan) : Prediction{};
}
template <uint32_t kMostRanks, void (*kGenerate)(const Problem&, StepSink&)>
[[nodiscard]] Prediction rounds_measured_once(const Problem& problem, Once<MeasuredPlan>& plan) {
  return is_quick_to_measure(problem, most_measured<kMostRanks>(problem))
             ? measured_once<kGenerate>(problem, plan)
             : Prediction{};
}

}  // namespace quadrille
