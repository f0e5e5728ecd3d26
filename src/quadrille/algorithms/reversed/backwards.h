// A card that is another one read backwards: gather from scatter.
//
//     .applies = applies_backwards<scatter_torus>,
//     .chunks = chunks_backwards<scatter_torus>,
//     .prepare = backwards<scatter_torus>,
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {

/// The card's plans for the reversed problem, backwards. A plan is stored on the way.
[[nodiscard]] Preparation prepare_backwards(const Algorithm& card, const Problem& problem);

template <const Algorithm& kCard>
[[nodiscard]] Applicability applies_backwards(const Problem& problem) {
  return kCard.applies(reversed(problem));
}
/// Of a card that has some.
template <const Algorithm& kCard>
[[nodiscard]] Chunking chunks_backwards(const Problem& problem) {
  return kCard.chunks(reversed(problem));
}
template <const Algorithm& kCard>
[[nodiscard]] Preparation backwards(const Problem& problem) {
  return prepare_backwards(kCard, problem);
}

}  // namespace quadrille
