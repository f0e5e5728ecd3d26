// Block swarm: an allgather, or a broadcast of many pieces, on any graph in which every step moves as many blocks that are
// new, and as scarce ones, as a greedy choice allows.
//
// In a step, first who sends to whom: receivers that lack most come first, each takes a sender who has something for
// it, and others change theirs if that makes room (augmenting paths, one port after another). Then which block goes over
// each of the links into a node: the scarcest ones first, each placed by an augmenting path over the links, which is
// the greedy algorithm in a transversal matroid: no choice moves more blocks, and none scarcer ones. What routers got
// for nobody is left out at the end. Ties are drawn; the shortest of a few tries is kept. A link of half duplex leads to whoever
// lacks more. Where routers have few ports, a tree for every block is tried, too (block_trees.h). Gates, which alone join parts of the
// network and have much to do with it, send nothing into the part where it begins (unless it could come there in no other way), hear
// first while they have little to pass on, and send first what has not been in a part. Where few links lead into a set of nodes
// that much must come into (tight_sets.h), a few tries more have these links bring something new in every step, before anybody else
// is served.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/swarms/swarm_steps.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Single packets, any ports and capacities, full or half duplex; for allgather and broadcast. `least`: no plan takes
/// fewer steps.
[[nodiscard]] Plan swarm_blocks(const Problem& problem, uint64_t least);

/// The same for blocks that come from any nodes and go to all endpoints, on a network and with ports of its own: block i has
/// its origin at origins[i].
struct SwarmTask {
  const Topology& net;
  Ports send{};
  Ports receive{};
  std::vector<NodeId> origins{};
  Duplex duplex = Duplex::kFull;
};
[[nodiscard]] Plan swarm_blocks(const SwarmTask& task, uint64_t least);

/// How often a step may look at each of so many blocks: for every lane of a link, and for each other lane of it that has
/// to give way.
[[nodiscard]] uint64_t swarm_looks(const Topology& topology, uint64_t blocks);

/// How often the steps of a broadcast in pieces look at one of them over a link, about.
[[nodiscard]] uint64_t stream_looks(const Problem& broadcast);

}  // namespace quadrille
