// Switched specs: what a network of hosts and switches may be called, by how many there are of each and how they are linked.
//
//     switched_specs(parse_topology("file(\"cluster.graphml\")"))     // clos(4), perhaps
#pragma once

#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Folded Clos networks, boxes and rails of accelerators, dragonflies, megaflies and Slim Flies with hosts: every member whose numbers
/// of nodes and links are the network's. Whether it is one of them an isomorphism tells.
[[nodiscard]] std::vector<std::string> switched_specs(const Topology& topology);

}  // namespace quadrille
