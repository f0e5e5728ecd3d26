// Same looks: two networks put side by side, their nodes parted by what they look like, and one node after the other of the
// first given its image in the second.
//
// Nodes of one part have as many links, of the same width, to every other part (colour refinement; B. D. McKay, Practical graph
// isomorphism, Congressus Numerantium 30, 1981). A pair that is given to each other becomes a part of its own, and what follows
// for others is found by looking at the links of the parts that changed. Where a part has more nodes of one network than of the
// other the last pair was wrong.
#pragma once

#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The image in the second of every node of the first; nothing where there is none, or none was found within `most_looks` at links.
[[nodiscard]] std::optional<std::vector<NodeId>> image_by_looks(const Topology& from, const Topology& to,
                                                                uint64_t most_looks);

}  // namespace quadrille
