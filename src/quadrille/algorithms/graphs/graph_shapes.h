// Shapes of graphs. Paths, cycles and complete graphs are recognised by their links, whatever family or file
// they come from and however their nodes are numbered; tori by their group, meshes by their factors.
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

/// Rings crossed, numbered in row-major order: each side's links lead one up and one down its cyclic group.
struct TorusShape {
  std::vector<uint32_t> sides;    ///< each at least 2
  std::vector<uint32_t> strides;  ///< one up in dimension i is the group element strides[i]
  /// Positions in CayleyStructure::generators; the same one for a side of 2.
  std::vector<uint32_t> up;
  std::vector<uint32_t> down;
};
/// Nothing if the graph is not known to be a torus. Rings and hypercubes are tori; sides of 1 are left out.
[[nodiscard]] std::optional<TorusShape> as_torus(const Topology& topology);

/// Paths crossed: what mesh(n1,..,nd) is, from any family and however its factors are numbered.
struct MeshShape {
  struct Dimension {
    uint32_t side = 1;
    std::vector<uint32_t> coordinate{};  ///< per node; this, up and down are empty of an outline
    std::vector<ArcId> up{};             ///< per node: the arc to the next coordinate, kNoArc at the end
    std::vector<ArcId> down{};           ///< per node: the arc to the coordinate before
    bool closed = false;                 ///< a link joins the two ends, too: it was a cycle
  };
  std::vector<Dimension> dimensions;  ///< each side at least 2; sides of 1 are left out
};
/// The mesh itself, and of tori and other products of paths and cycles the mesh that they contain: each cycle
/// is cut open between its last node and its first. Nothing if the graph is not known to contain one in this
/// way. Paths and hypercubes are meshes, one node is one too.
[[nodiscard]] std::optional<MeshShape> mesh_within(const Topology& topology);

}  // namespace quadrille
