// Sums in order: whether every sum that a plan makes is of consecutive ranks, as operators that do not commute need it.
//
// For whoever has a plan that was made for operators that do, and wants to know whether it will do for others. That
// every contribution counts once is not asked here: that is the judge's business, and so is the last word on the order.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem is a reduction. False, too, for a plan that is too large to be followed.
[[nodiscard]] bool sums_in_order(const Problem& problem, const Plan& plan);

/// The same problem for an operator that commutes.
[[nodiscard]] Problem without_order(const Problem& problem);

}  // namespace quadrille
