#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille {

void generate_backwards(const Algorithm& card, const Problem& problem, StepSink& sink) {
  const Problem forwards = reversed(problem);
  Plan plan;
  card.generate(forwards, plan);
  reverse(forwards, plan).replay(sink);
}

}  // namespace quadrille
