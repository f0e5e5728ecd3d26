// Worm grid: a torus or a mesh as dimension-ordered worms see it.
//
// A grid has k dimensions; each is a row of nodes or a circle. Dimension 1 is the first coordinate of the
// product, and a worm corrects its coordinates first to last. Dimensions of one node are left out. A place is
// the row-major number of a node's coordinates, counted along each row or circle whatever the nodes' own
// numbers are.
//
//     const WormGrid grid = *WormGrid::of(parse_topology("torus(4,5)"));
//     grid.shape().sides;                        // 4, 5
//     grid.append_path(0, {{1, -2}}, path);      // from (0,0) by (1,0) and (1,4) to (1,3)
//
// A circle of two nodes has one link; hops of +1 and -1 both take it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// How many nodes there are in each dimension, and which dimensions are closed to circles. A dimension of two
/// nodes counts as a circle, with a single link.
struct GridShape {
  std::vector<uint32_t> sides{};
  std::vector<bool> circular{};

  [[nodiscard]] size_t dimensions() const { return sides.size(); }
  [[nodiscard]] uint64_t num_places() const;
  [[nodiscard]] bool all_circular() const;
  /// All dimensions are circles of the same number of nodes.
  [[nodiscard]] bool is_square_torus() const;
  /// How many links a place may have in the dimension: 2, or 1 where there are two nodes.
  [[nodiscard]] uint32_t links(size_t dimension) const { return sides[dimension] == 2 ? 1 : 2; }

  [[nodiscard]] std::vector<uint32_t> coordinates(uint32_t place) const;
  /// Around the circles; in a row the coordinates must exist.
  [[nodiscard]] uint32_t place(std::span<const int64_t> coordinates) const;
  /// Where a worm from the place ends.
  [[nodiscard]] uint32_t moved(uint32_t place, std::span<const int32_t> hops) const;
  /// "torus 4 x 5", "mesh 3 x 3", "grid 4 x 5", for messages and names of files.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

class WormGrid {
 public:
  /// Nothing if the topology is no product of rows and circles (nor one of these itself).
  [[nodiscard]] static std::optional<WormGrid> of(const Topology& topology);
  /// Only its shape, for those who ask whether there is one: of() looks at every link.
  [[nodiscard]] static std::optional<GridShape> shape_of(const Topology& topology);

  /// The coordinates of a node along the rows, 0 in circles; of a topology that has a shape, an outline perhaps.
  [[nodiscard]] static std::vector<uint32_t> row_positions(const Topology& topology, NodeId node);

  [[nodiscard]] const GridShape& shape() const { return shape_; }
  [[nodiscard]] NodeId node(uint32_t place) const { return nodes_[place]; }
  [[nodiscard]] uint32_t place(NodeId node) const { return places_[index(node)]; }
  /// Appends the arcs of a worm, dimension after dimension.
  void append_path(uint32_t place, std::span<const int32_t> hops, std::vector<ArcId>& path) const;

 private:
  GridShape shape_;
  std::vector<NodeId> nodes_;     // of a place
  std::vector<uint32_t> places_;  // of a node
  // Of a place: one up and one down in each dimension. kNoArc and the place itself at the ends of a row.
  std::vector<ArcId> arcs_;
  std::vector<uint32_t> next_;
};

}  // namespace quadrille
