// Grids: lines and rings crossed, and networks whose labels are coordinates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// Nodes at whole coordinates.
struct GridPlaces {
  std::vector<uint32_t> sides{};        ///< of each dimension, the last one to the right
  std::vector<uint32_t> coordinates{};  ///< of node v in dimension i: coordinates[v * sides.size() + i]

  [[nodiscard]] size_t dimensions() const { return sides.size(); }
  [[nodiscard]] uint32_t at(NodeId node, size_t dimension) const {
    return coordinates[index(node) * sides.size() + dimension];
  }
};

/// Nodes 0 .. n-1 in a row, each linked with the next.
[[nodiscard]] bool is_numbered_line(const Topology& topology);
/// The same, and the last one with the first; of three nodes and more.
[[nodiscard]] bool is_numbered_ring(const Topology& topology);

/// A product of lines and rings, or a line; or a network whose nodes are called by coordinates, "(1,3)", most of whose links
/// lead to the next place of one of them: a torus without some links, a twisted one. Nothing for others, and for a ring.
[[nodiscard]] std::optional<GridPlaces> grid_places(const Topology& topology);

[[nodiscard]] NetworkLayout grid_layout(const Topology& topology, const GridPlaces& places);

}  // namespace quadrille
