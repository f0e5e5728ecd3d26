#include "quadrille/algorithms/reversed/backwards.h"

#include "quadrille/schedule/plan.h"

namespace quadrille {

Preparation prepare_backwards(const Algorithm& card, const Problem& problem) {
  Preparation out = card.prepare(reversed(problem));
  for (PreparedPlan& forwards : out.plans) {
    forwards = std::make_shared<Prepared>(
        problem, [forwards](const Problem&) { return forwards->prediction(); },
        [forwards](const Problem&, StepSink& sink) {
          Plan plan;
          forwards->generate(plan);
          reverse(forwards->problem(), plan).replay(sink);
        },
        forwards->effort(), forwards->member());
  }
  return out;
}

}  // namespace quadrille
