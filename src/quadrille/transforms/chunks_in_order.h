// Chunks in order: whether the pieces of a block come over every link one after the other, as a receiver needs it that uses
// what it has so far.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Over every link, piece after piece of a block; sums and copies apart, and a step's in any order.
[[nodiscard]] bool chunks_in_order(const Problem& problem, const Plan& plan);

}  // namespace quadrille
