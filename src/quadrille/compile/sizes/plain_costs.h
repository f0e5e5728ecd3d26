// Plain costs: a model in which start-ups and bytes alone cost time. Plans are compared by these alone wherever others lend; what else
// the model prices is counted once a plan is there.
#pragma once

#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem with start-ups that take as long as a step's longest may, but for the bytes: with a hop, and with as many further messages as
/// its ports send at once; and, where these cost, with the hop alone. What is rearranged costs nothing.
[[nodiscard]] std::vector<Problem> with_plain_costs(const Problem& problem);

/// The same plan for a problem that it serves as well, and which may ask for other figures than the choice knows: of another cost, or of
/// a weaker machine whose rules it keeps.
[[nodiscard]] Choice handed_to(const Problem& problem, const Choice& choice);

}  // namespace quadrille
