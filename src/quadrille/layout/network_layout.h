// NetworkLayout: where the nodes of a network stand in a picture, and in which order its links are listed.
//
//     const NetworkLayout layout = layout_of(parse_topology("torus(4,4)"));
//     layout.x[5], layout.y[5]          // node 5; x to the right, y downwards, as on paper
//     layout.wraps[index(arc)]          // the arc goes round: drawn as two stubs, not across the picture
//     rows_of(layout, topology)         // arcs in the order of a space-time diagram: by group, then by tail
//
// Everybody who draws (draw/, the viewer's page) takes positions from here; none computes its own. The unit is the pitch:
// neighbours stand about one apart. Positions are multiples of 1/64 and exact as floats, so that pictures are the same bytes
// everywhere. No two nodes stand on one place, and links of flat pictures bend round nodes on their way.
//
// What is drawn how: products of lines and rings as grids (the last coordinate to the right, the one before it downwards, a third
// one into the page, further ones as grids of grids); rings and Cayley graphs in circles; trees and networks of switches by
// levels, endpoints at the bottom; hosts around their routers where the routers are linked among themselves; groups of nodes that
// are linked closely as circles on a circle; Slim Flies as two rows of circles; trees of many leaves in circles; whatever is left so that distances on paper are those in hops, or by forces above
// some thousand nodes. A network out of a file that is known under a name is drawn like that one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

enum class LayoutKind : uint8_t {
  kGrid,     ///< lines and rings crossed
  kCircle,   ///< nodes on circles around one middle
  kLevels,   ///< rows, endpoints at the bottom
  kGroups,   ///< circles on a circle, or copies of one picture on the places of another
  kSprings,  ///< computed by forces
};

/// "grid", "circle", "levels", "groups", "springs".
[[nodiscard]] std::string_view name_of(LayoutKind kind);

struct NetworkLayout {
  LayoutKind kind = LayoutKind::kSprings;

  // Of each node.
  std::vector<float> x{};
  std::vector<float> y{};
  std::vector<float>
      z{};  ///< empty where the picture is flat; else larger is farther away: see layout/perspective.h
  // From where a picture with depth is seen, in radians: see layout/view_angle.h.
  float yaw = -0.36F;
  float tilt = 0.3F;

  // Of each arc.
  /// 1 where the arc leads round the picture: its head stands on the other side. It is drawn as a stub of half a pitch that leaves
  /// its tail away from the head, and one that comes to the head from outside.
  std::vector<uint8_t> wraps{};
  /// How far the arc is drawn beside the straight line in its middle, to the left as seen on paper, where it would run over nodes on its
  /// way; 0: straight. Empty where all are. See layout/bends.h.
  std::vector<float> bends{};
  std::vector<uint8_t> group{};  ///< of rows in a space-time diagram: an index of group_names

  /// "x+", "x-" (a direction of a grid), "up 1", "down 1" (between levels), "within", "across" (groups), "links" where nothing is known.
  std::vector<std::string> group_names{};
  /// How far apart neighbours stand, typically. Discs, stubs and gaps are in proportion to it.
  float pitch = 1;

  [[nodiscard]] bool is_flat() const { return z.empty(); }
};

/// Takes a moment for structures, up to seconds for springs on some 10^4 nodes.
[[nodiscard]] NetworkLayout layout_of(const Topology& topology);

/// All arcs by group, then by number: rows of a space-time diagram from its top.
[[nodiscard]] std::vector<ArcId> rows_of(const NetworkLayout& layout);

}  // namespace quadrille
