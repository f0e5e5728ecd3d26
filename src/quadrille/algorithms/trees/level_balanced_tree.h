// A tree of shortest paths whose branches at the root are as equal in size as a look at each level can make them.
//
// Level by level, a node with few branches to choose from chooses first, and takes the one that has least for what its link
// carries. On meshes, tori and hypercubes the branches come out equal, or nearly.
#pragma once

#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

/// Every node hangs at its distance from the root; of any graph, routers and directed ones, too.
[[nodiscard]] SpanningTree level_balanced_tree(const Topology& topology, NodeId root);

}  // namespace quadrille
