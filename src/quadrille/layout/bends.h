// Bends: links that would run over nodes on their way are drawn as arcs round them.
#pragma once

#include <array>
#include <vector>

#include "quadrille/layout/network_layout.h"

namespace quadrille {

/// Fills layout.bends of a flat layout: of every link that passes nearer than a fifth of the pitch by a node that is neither of its ends,
/// the gentlest arc that keeps away from nodes, on either side; where none does, the one that comes near fewest. Opposite arcs share
/// their line. Leaves the layout as it is above 20,000 arcs and where nothing is in the way.
void bend_round_nodes(const Topology& topology, NetworkLayout& layout);

/// How many straight pieces an arc is drawn with, and which parts of the way they are: the ends are long, since nodes and arrow heads
/// lie on them.
inline constexpr size_t kBendPieces = 10;
inline constexpr std::array<double, kBendPieces + 1> kBendParts = {0,     0.2,  0.275, 0.35, 0.425, 0.5,
                                                                   0.575, 0.65, 0.725, 0.8,  1};

/// Places along an arc from (x0, y0) to (x1, y1) that is `bend` beside the straight line in its middle, to the left as seen on
/// paper from its start: kBendPieces + 1, both ends included.
struct BendPoint {
  double x = 0;
  double y = 0;
};
[[nodiscard]] std::array<BendPoint, kBendPieces + 1> bent(double x0, double y0, double x1, double y1,
                                                          double bend);

}  // namespace quadrille
