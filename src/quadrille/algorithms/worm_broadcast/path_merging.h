// Path merging: a broadcast by worms on any graph, found backwards.
//
// Read backwards, a broadcast is a crowd that shrinks: in every step some of those who are left send a worm to
// one who stays, until only the root is. Worms of a step share no arc. Whoever stays takes as many as it has
// ports, so that of N no more than N/(ports+1) stay. Which ones can go is a question of flows: a node goes if
// the flow from those who stay to those who go has one more unit. Clusters of near nodes are tried first, each
// around the one that stays; in a graph of two-way links half of the crowd can always go, along a tree, whatever
// the graph (Farley 1980): with one port the broadcast takes ceil(log2 N) steps.
//
// Where paths may share arcs a flow has all the room it wants, and whoever is not to stay can go: p ports take
// ceil(log_(p+1) N) steps. What flows both ways over a link cancels, so that is true of half-duplex links,
// too. A plan that gathers and then broadcasts therefore never takes more than twice the steps of any plan for
// full duplex, in which everybody hears from everybody.
#pragma once

#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"
#include "quadrille/model/model.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// The worms of every step, from the root to all endpoints; each node starts at most `send` of them in a step. No
/// link carries two worms in opposite directions, and no arc carries two, unless they are `shared`.
[[nodiscard]] BroadcastWorms merge_along_paths(const Topology& topology, NodeId root, Ports send,
                                               bool shared);

}  // namespace quadrille
