// A card that is another one read backwards: gather from scatter.
//
//     .applies = [](const Problem& p) { return backwards_applies(scatter_torus, p); },
//     .claimed = [](const Problem& p) { return scatter_torus.claimed(reversed(p)); },
//     .generate = [](const Problem& p, StepSink& sink) { generate_backwards(scatter_torus, p, sink); },
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {

/// Whether the card applies to the reversed problem, over links that all lead back.
[[nodiscard]] Applicability backwards_applies(const Algorithm& card, const Problem& problem);

/// The card's plan for the reversed problem, backwards. The plan is stored on the way.
void generate_backwards(const Algorithm& card, const Problem& problem, StepSink& sink);

}  // namespace quadrille
