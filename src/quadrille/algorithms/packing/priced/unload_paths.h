// Unloading of paths: single paths leave links, and ports, that have a little too much to do.
//
// Prices that rise for all (priced_paths.h) come near to what is needed, and then turn in circles where hardly anything is to spare: 64
// nodes of 16 links each exchange over 98.5 % of all slots in 7 steps. Here one path after another leaves an overfull
// link for the way that costs least, in hops, in overfull links and in those that would be. A link that stays overfull, since all its
// paths have come back to it, gets dearer for good (breakout: Morris 1993; negotiated congestion: McMurchie and Ebeling 1995).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of each block its path. Until no link and no port has more than `most` to do for each of its capacity: whether that was found before
/// nothing got better for long, or `work` links were looked at. If not they are left as they were. Deterministic.
[[nodiscard]] bool unload_paths(const Problem& problem, const std::vector<BlockId>& blocks,
                                std::vector<std::vector<ArcId>>& paths, uint64_t most, uint64_t work);

}  // namespace quadrille
