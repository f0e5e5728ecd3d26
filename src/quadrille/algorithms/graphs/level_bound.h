// Level bound: what a total exchange in so many levels (graphs/level_routes.h) takes at least.
#pragma once

#include <cstdint>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Rounds of any level routes in so many levels, at least the largest distance between ranks; blocks that go that far are all
/// between the same distances at about the same time, and share the links there. Of an alltoall in one piece.
[[nodiscard]] uint64_t level_rounds_at_least(const Problem& problem, uint32_t levels);

}  // namespace quadrille
