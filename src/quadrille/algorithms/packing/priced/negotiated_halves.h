// Negotiated halves: an allreduce in pieces gets a step shorter, again and again, when its pieces negotiate about the steps of links.
//
// Every piece goes up a tree to its root, and comes down another. For a step less, the pieces that used the last one are routed anew, over
// whatever steps of links cost least: those that others have cost something, those that stay wanted by several get dearer for good, and
// a piece may change its root and when it is all there. After some hundred rounds no step of a link has more than it carries, or
// hardly anything is left that a step more would not cure (negotiated congestion: McMurchie and Ebeling 1995, for wires on chips).
//
// A tree is grown from its root, where links are free and early first; then each node takes the cheapest way in that
// those behind it can wait for. Where hardly anything is left in the way, single nodes do so instead of whole pieces.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/packing/swarms/halves_in_turn.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct NegotiationEffort {
  uint64_t looks = 0;  ///< at steps of links, for every step less, times the effort that is wished for
  uint64_t seed = 1;
  bool begins_anew = false;  ///< from trees of its own, not from those that there are
};

/// The shortest that was found, or the first: among endpoints alone, for single packets with all ports, full duplex, on links that
/// lead both ways. `least`: no plan has fewer steps. Deterministic.
[[nodiscard]] HalfSteps negotiated_halves(const Topology& net, uint32_t pieces, const HalfSteps& first,
                                          uint64_t least, const NegotiationEffort& effort);

}  // namespace quadrille
