// A card that is another one read backwards: gather from scatter.
//
//     .applies = [](const Problem& problem) { return scatter_torus.applies(reversed(problem)); },
//     .prepare = backwards<scatter_torus>,
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {

/// The card's plans for the reversed problem, backwards. A plan is stored on the way.
[[nodiscard]] Preparation prepare_backwards(const Algorithm& card, const Problem& problem);

template <const Algorithm& kCard>
[[nodiscard]] Preparation backwards(const Problem& problem) {
  return prepare_backwards(kCard, problem);
}

}  // namespace quadrille
