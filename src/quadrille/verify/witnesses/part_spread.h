// How long it takes until a copy that has come into a part of the network is at all who want it there.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Of the nodes that fall apart without `middle`, part by part: steps after a copy has come into the part, at the least. Where
/// a part is a tree that hangs on the middle by one link, everybody there hears of it from above, and tells those below, who
/// take longest first; elsewhere 0. part[v] is a number below `parts`, or another one.
[[nodiscard]] std::vector<uint32_t> spread_in_parts(const Problem& problem, NodeId middle,
                                                    const std::vector<uint32_t>& part, uint32_t parts);

}  // namespace quadrille
