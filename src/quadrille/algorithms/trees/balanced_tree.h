// A spanning tree whose subtrees at the root are as equal in size as growth and repair can make them.
//
// Every neighbour of the root begins a region. The smallest region that is below the limit
// ceil((n-1)/degree) and has a free neighbour takes one: of its free neighbours the one with the fewest free
// neighbours of its own, since that is the one that would be cut off first. Nodes that are left over, because
// only full regions touch them, are fitted in by a chain of moves: the node enters a full region, another
// node of that region, without which it stays connected, moves into a region beside it, and so on until a
// region has room; a breadth-first search over the regions finds a shortest chain. If there is none the limit
// rises by one.
//
// Nothing is promised but a spanning tree. On tori of any dimensions, and on most graphs in which every node
// has several neighbours, the limit has not been seen to rise; on trees it must.
//
// Refused: directed graphs (a moved node must be reached from another side) and routers.
#pragma once

#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

/// Only for undirected graphs without routers.
[[nodiscard]] SpanningTree balanced_tree(const Topology& topology, NodeId root);

}  // namespace quadrille
