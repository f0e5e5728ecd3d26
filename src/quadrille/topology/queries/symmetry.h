// Symmetry: which nodes look alike, by the automorphisms of the graph.
//
// An automorphism moves nodes so that arcs stay arcs of the same capacity and endpoints stay endpoints. Nodes
// that some automorphism takes to each other form an orbit; a graph with one orbit is node symmetric. A
// Cayley graph is, by its group; any other graph is searched by bliss, whose effort
// is small for most graphs and unbounded for some.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// orbit[v]: the smallest node that looks like v. By search, whatever the graph's structure says.
[[nodiscard]] std::vector<uint32_t> node_orbits(const Topology& topology);

/// True when all nodes look alike.
[[nodiscard]] bool is_node_symmetric(const Topology& topology);

}  // namespace quadrille
