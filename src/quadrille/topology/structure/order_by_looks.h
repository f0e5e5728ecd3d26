// Order by looks: the nodes of a small network in an order that does not depend on their numbers, so that a search that has only so
// much time finds the same on a network from a file as on the same one by name.
//
// Nodes are parted by what they are and by what they are linked to, until all of a part look alike; then one of the first part of several
// becomes a part of its own, and so on (B. D. McKay, Practical graph isomorphism, Congressus Numerantium 30, 1981). Of nodes that look
// alike the one of the lowest number is taken: where they are images of each other, as almost always in small networks, that is no matter.
#pragma once

#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

[[nodiscard]] std::vector<NodeId> order_by_looks(const Topology& topology);

/// The same network, whose node i is the node `order[i]` of this one.
[[nodiscard]] Topology in_order(const Topology& topology, const std::vector<NodeId>& order);

}  // namespace quadrille
