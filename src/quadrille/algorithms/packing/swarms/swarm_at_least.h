// How many steps a swarm of blocks (block_swarm.h) takes at least, which is asked before one is made.
#pragma once

#include <cstdint>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// No allgather, or broadcast, of single packets takes fewer steps.
[[nodiscard]] uint64_t swarm_at_least(const Problem& problem);

}  // namespace quadrille
