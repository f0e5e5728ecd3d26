#include "quadrille/algorithms/patterns/backwards.h"

#include <fmt/format.h>

namespace quadrille {

Applicability backwards_applies(const Algorithm& card, const Problem& problem) {
  if (problem.topology().is_directed()) {
    return Applicability::no(fmt::format("it is {} backwards, over links in both directions; {} is directed",
                                         card.name, problem.topology().name()));
  }
  return card.applies(reversed(problem));
}

void generate_backwards(const Algorithm& card, const Problem& problem, StepSink& sink) {
  const Problem forwards = reversed(problem);
  Plan plan;
  card.generate(forwards, plan);
  reverse(forwards, plan).replay(sink);
}

}  // namespace quadrille
