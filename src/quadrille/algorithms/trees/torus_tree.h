// The balanced tree of a two-dimensional torus: four subtrees, one for each link of the root, whose sizes
// differ by so little that none has more than ceil((nm-1)/4) nodes.
//
// The root in the middle, the other nodes of the m x n torus are the points [i,j] with -W <= i <= E and
// -S <= j <= N; E and N are halves rounded down, W and S those of m-1 and n-1. The axes cut the rest into
// four quadrants, each spanned by a trunk beside one half axis with straight branches, and owned by a
// neighbour of the root:
//
//                D | A            A: [0,1]    B: [1,0]
//             -----0-----         C: [0,-1]   D: [-1,0]
//                C | B
//
// The points of a half axis are shared by turns between the two regions beside it where that is even, or go
// to one of them; up to two points then change their region. Sides of 3 and 4 are too narrow for that change
// and have their own, over a link that wraps around. All sides from 3 up are served.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

/// Whether the graph is known to be a torus of two dimensions whose sides are at least 3.
[[nodiscard]] bool has_torus_tree(const Topology& topology);

/// Only for these.
[[nodiscard]] SpanningTree torus_tree(const Topology& topology, NodeId root);

}  // namespace quadrille
