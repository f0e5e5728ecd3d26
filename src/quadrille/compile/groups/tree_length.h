// Tree length: what a tree from a root to some nodes is at least long, where arcs have lengths.
//
// Whoever of these the root does not reach over arcs that are paid for pays, with all who reach it so, for the arcs into them alike
// (dual ascent: Wong 1984). What was paid is a lower bound, since each tree enters every such set; as a rule a few per cent
// below the shortest tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// `length`: of each arc. Backwards: of a tree that leads from these nodes to the root. All must be reachable.
[[nodiscard]] uint64_t least_tree_length(const Topology& net, std::span<const uint64_t> length, NodeId root,
                                         const std::vector<char>& wanted, bool backwards = false);

}  // namespace quadrille
