// Side by side: two plans, each for half of the pieces of every block, at once.
//
//     side_by_side(problem, plan, relabel(half, plan, mirror))     // a plan and its mirror image
//
// What one plan leaves idle in a step the other may use. Where transfers share arcs, a step of one and the step of the other
// are one step; elsewhere they come one after the other, and then every transfer as early as there is room
// (compact_steps.h).
#pragma once

#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// `problem` is in an even number of pieces; both plans are for it in half as many. Nothing where nodes would need more ports
/// than there are, or a link of half duplex both ways, and arcs are shared.
[[nodiscard]] std::optional<Plan> side_by_side(const Problem& problem, const Plan& first, const Plan& second);

}  // namespace quadrille
