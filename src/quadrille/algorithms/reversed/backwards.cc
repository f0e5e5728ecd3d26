#include "quadrille/algorithms/reversed/backwards.h"

#include "quadrille/schedule/plan.h"

namespace quadrille {

Preparation prepare_backwards(const Algorithm& card, const Problem& problem) {
  Preparation out = card.prepare(reversed(problem));
  for (PreparedPlan& forwards : out.plans) {
    const uint64_t start_ups = forwards->least_start_ups();
    forwards = std::make_shared<Prepared>(
        problem, [forwards](const Problem&) { return forwards->prediction(); },
        [forwards](const Problem&, StepSink& sink) {
          Plan plan;
          forwards->generate(plan);
          reverse(forwards->problem(), plan).replay(sink);
        },
        forwards->effort(), forwards->member());
    forwards->takes_at_least(start_ups);
  }
  return out;
}

}  // namespace quadrille
