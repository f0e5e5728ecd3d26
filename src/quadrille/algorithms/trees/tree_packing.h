// Tree packing: K trees from a root without a common channel, on any graph that has them.
//
// Trees are grown one after the other, breadth first; an arc may be taken where what is left still has as many
// disjoint paths to its head as there are trees to come, and there is always one (Lovasz 1976, for Edmonds'
// theorem of 1973). The last trees get deep that way: afterwards nodes exchange the arcs that they hang on
// between trees, or take free ones, as long as that makes deep nodes less deep.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/trees/disjoint_trees.h"

namespace quadrille {

/// Nothing if some node, be it a router, has fewer disjoint paths from the root than trees are wanted.
[[nodiscard]] std::optional<DisjointTrees> packed_trees(const Topology& topology, NodeId root,
                                                        uint32_t trees);

}  // namespace quadrille
