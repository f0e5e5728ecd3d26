// Rank placements: who is rank i of an algorithm that was written for ranks which all reach each other.
//
// In the order of their numbers, by Gray codes, or along a walk through the network; with a root elsewhere than at rank 0, so that it
// comes first.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

using Placement = std::vector<Rank>;

/// Of more ranks there is one placement, and steps of their rounds are not compacted.
inline constexpr uint32_t kMostRanksTried = 128;

/// One or more, the first in the order of numbers; `by_number`: that one alone, wherever the root is.
[[nodiscard]] std::vector<Placement> placements(const Problem& problem, bool by_number);

}  // namespace quadrille
