// Symmetry: which nodes look alike, by the automorphisms of the graph.
//
// An automorphism moves nodes so that arcs stay arcs of the same capacity and endpoints stay endpoints. Nodes
// that some automorphism takes to each other form an orbit; a graph with one orbit is node symmetric. A
// Cayley graph is, by its group; any other graph is searched by bliss, whose effort
// is small for most graphs and unbounded for some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// orbit[v]: the smallest node that looks like v. By search, whatever the graph's structure says.
[[nodiscard]] std::vector<uint32_t> node_orbits(const Topology& topology);

/// Some automorphisms, as images of the nodes, which generate all, and the products of two of them, so many at most; of those
/// that leave a node where it is, where one is named. Not the identity.
[[nodiscard]] std::vector<std::vector<NodeId>> some_symmetries(const Topology& topology,
                                                               std::optional<NodeId> fixed, size_t most);

/// True when all nodes look alike.
[[nodiscard]] bool is_node_symmetric(const Topology& topology);

}  // namespace quadrille
