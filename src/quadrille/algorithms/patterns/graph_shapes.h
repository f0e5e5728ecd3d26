// Shapes of graphs that are recognised by their links, whatever family or file they come from and however
// their nodes are numbered: paths, cycles and complete graphs.
//
//     as_cycle(parse_topology("torus(7)"))    // 0, 1, .., 6
#pragma once

#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The nodes from one end to the other, the lower-numbered end first; nothing if the graph is no path. One
/// node is a path.
[[nodiscard]] std::optional<std::vector<NodeId>> as_path(const Topology& topology);

/// The nodes around the cycle from node 0 towards its lower-numbered neighbour; nothing if the graph is no
/// cycle. A cycle has at least three nodes.
[[nodiscard]] std::optional<std::vector<NodeId>> as_cycle(const Topology& topology);

/// Whether every node has an arc to every other.
[[nodiscard]] bool is_complete(const Topology& topology);

}  // namespace quadrille
