// The tree of a one-port broadcast on a torus of any size and number of dimensions.
//
// The sides are dealt into groups; the groups are informed one after the other, each node of what is informed
// so far being the root of the next group's tree, so the times add up. The trees, for a ring of n nodes (D is
// its diameter, floor(n/2)) and for groups of rings:
//
//   one even ring           D steps: both ways round.
//   one odd ring            D + 1.
//   two odd rings           D + 1 (but 3 x 3: D + 2). Rows first: the row of the root, 2p+1 nodes, is informed
//                           in p + 1 steps, and every node of it informs its column of 2q+1 nodes in q + 1.
//                           That would be p + q + 2; late by one are only the columns p and -p, the latter
//                           informed by the former, and in these only the last node. Their neighbours'
//                           columns inform them across.
//   3 x 3 x n, n even >= 6  D + 1: a tree that a search found for n = 6, with the ring opened at the root and
//                           drawn out: what is put in are copies of the root's plane.
//   3 x 3 x 3               D + 2 = 5: a tree that was found by search.
//
// With o odd sides that is D + ceil(o / 2) on most tori. trees/tree_broadcast.h orders the transmissions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

/// Positions in TorusShape::sides, group by group; the larger odd side of a pair comes first, the even side
/// of a triple last.
[[nodiscard]] std::vector<std::vector<size_t>> torus_broadcast_groups(const std::vector<uint32_t>& sides);

/// Steps of the groups one after the other.
[[nodiscard]] uint64_t torus_broadcast_steps(const std::vector<uint32_t>& sides);

[[nodiscard]] SpanningTree torus_broadcast_tree(const Topology& topology, const TorusShape& torus,
                                                NodeId root);

}  // namespace quadrille
