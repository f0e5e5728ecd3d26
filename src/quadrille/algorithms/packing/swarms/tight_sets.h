// Tight sets: nodes into which much must come over few links.
//
// Whatever begins outside such a set comes in over the links of its border, each block once at least, and if that takes nearly as
// long as the whole plan may, none of these links can idle, or bring in what is there already. The set that is tightest around a node is
// a least cut: each link can bring as much as it does in the time, each block that begins outside wants in (a set is worse the more
// begins inside), and how many get to the node is a largest flow.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/swarms/block_swarm.h"

namespace quadrille {

struct TightSet {
  std::vector<char> holds;      ///< per node
  std::vector<ArcId> border{};  ///< links that lead into it
  uint64_t lanes = 0;           ///< how many of them ports let be used in a step
  uint64_t outside = 0;         ///< blocks that begin outside
  uint64_t depth = 0;           ///< hops from its border to the farthest node
  uint64_t steps = 0;           ///< until all have come in, and the last has gone on to the farthest node
};

/// Sets that take nearly as long as any plan, `least` steps, those first that take longest; a link is of the border of one of them at most:
/// of the first. They are behind bridges, behind nodes that alone join parts (where such a node must send much, that is how long they take), and
/// around single nodes, if they have more nodes than that one.
[[nodiscard]] std::vector<TightSet> tight_sets(const SwarmTask& task, uint64_t least);

}  // namespace quadrille
