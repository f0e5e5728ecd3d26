#include "quadrille/algorithms/algorithm.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"

namespace quadrille {

Preparation prepare(const Algorithm& card, const Problem& problem) {
  if (!problem.collective().is_numbered() && !card.counts_alone)
    return Preparation::no("what it predicts takes a number for every block, and there are too many");
  if (Applicability fits = card.applies(problem); !fits.applies) return {std::move(fits), {}};
  return card.prepare(problem);
}

PreparedPlan Algorithm::plan_for(const Problem& problem) const {
  const Preparation ready = quadrille::prepare(*this, problem);
  if (!ready.fits.applies)
    throw InputError(fmt::format("{} does not apply to {}: {}", name, problem.title(), ready.fits.reason));
  return cheapest(ready.plans);
}

}  // namespace quadrille
