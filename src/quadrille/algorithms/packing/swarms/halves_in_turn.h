// Halves in turn: an allreduce in pieces that gets shorter when the whole of each piece is spread anew, and then, read backwards, its sums
// are collected anew, and so on.
//
// Sums of a piece go up a tree, and the whole comes down one. What goes up stays as it is, or goes some steps sooner where links are
// free, and keeps its links; what comes down takes the links that are left as a swarm does, the scarcest pieces first
// (scarce_choice.h), over whatever ways. Read backwards what came down goes up, and the other half has its turn. How many steps sooner is best depends: none
// where few links are the only way for all pieces, as to the leaves of a graph with hubs, and many on meshes with few pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Of an allreduce, over an arc: a sum of a piece that goes up, or the whole of it that comes down.
struct HalfSend {
  ArcId arc;
  uint32_t piece;
  bool down;
};
using HalfSteps = std::vector<std::vector<HalfSend>>;

/// The shortest that was found, or the first, of two or more endpoints, for single packets with all ports, full duplex, on
/// links that lead both ways. `least`: no plan has fewer steps. `most_looks`: at 64 pieces over a link in a step, in all turns, times the effort.
[[nodiscard]] HalfSteps halves_in_turn(const Topology& net, uint32_t pieces, const HalfSteps& first,
                                       uint64_t least, uint64_t most_looks);

}  // namespace quadrille
