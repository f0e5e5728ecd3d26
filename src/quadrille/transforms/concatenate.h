// Concatenate: one plan after another.
//
// What the first leaves where, the second must find there; the judge tells whether it does.
#pragma once

#include "quadrille/schedule/plan.h"

namespace quadrille {

/// The steps of the first plan and then those of the second. Both number their arcs and blocks alike.
[[nodiscard]] Plan concatenate(const Plan& first, const Plan& second);

}  // namespace quadrille
