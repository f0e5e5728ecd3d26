// A card that is another one read backwards: gather from scatter.
//
//     .applies = [](const Problem& p) { return scatter_torus.applies(reversed(p)); },
//     .claimed = [](const Problem& p) { return scatter_torus.claimed(reversed(p)); },
//     .generate = [](const Problem& p, StepSink& sink) { generate_backwards(scatter_torus, p, sink); },
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille {

/// The card's plan for the reversed problem, backwards. The plan is stored on the way.
void generate_backwards(const Algorithm& card, const Problem& problem, StepSink& sink);

}  // namespace quadrille
