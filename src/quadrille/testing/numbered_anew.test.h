// The same network as a stranger would have written it down.
#pragma once

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The network with its nodes in a random order, and without name, labels and structure. The same seed gives the same one.
[[nodiscard]] Topology numbered_anew(const Topology& net, uint64_t seed);

}  // namespace quadrille
