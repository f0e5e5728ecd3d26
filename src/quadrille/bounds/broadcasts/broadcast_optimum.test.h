// The fewest steps of a broadcast of one packet, by following every set of nodes that can know.
//
// Of at most 16 nodes. It knows nothing of bounds, algorithms and judges. A reduction takes as many on the network turned round.
#pragma once

#include <cstdint>

#include "quadrille/topology/topology.h"

namespace quadrille::testing {

[[nodiscard]] uint32_t broadcast_optimum(const Topology& net, NodeId root, uint32_t ports);

/// Holds what a bound says of broadcasts and reductions with one to three ports, from every endpoint of networks of all sorts with up to ten
/// nodes, against the optimum. Returns in how many of them it is more than 1 and as much as the optimum.
[[nodiscard]] uint32_t hold_against_optima(const char* bound);

}  // namespace quadrille::testing
