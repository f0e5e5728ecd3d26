// Total exchange on meshes of any sides by cells: worms, one port.
//
// Nodes fall into groups by the parities of their coordinates. In every dimension the nodes of one group on
// one line are a logical ring: 0, 2, 4, .. or 1, 3, 5, ..; the last of a ring sends back through the whole
// line to the first. A node stands for its cell in a dimension: coordinates {2i, 2i+1}.
//
//   ring phases   one per dimension. In every step every node sends on, in its dimension of the phase, all
//                 that is not for its cell there. Groups take the dimensions in different orders, such that a
//                 line carries one group only: in two dimensions (1, 0) where the parities are equal, else
//                 (0, 1); dimension d = 2, 3, .. comes last for groups that are even in it, else first.
//   swaps         one step per dimension: partners in the cell exchange what is for the other's coordinate.
//
// With sides a of which the longest comes last, all even, S = sum of the ring lengths - 1 and a swap each;
// on R x C, R <= C: C start-ups and R C^2/2 blocks on the critical path.
//
// An odd side has one node more in its even rings, whose last cell is that node alone. No node with an odd
// coordinate serves this cell; so first, in one step for each odd side, nodes with odd coordinates give what
// is for the last coordinate to their partner below. A single line is taken as a mesh of 1 x C: its two rings
// cannot run at once.
//
// Half-duplex links: the worm that goes back meets the others, and so do swaps. There every step is two: the
// worms of a ring that go forward, then the one that goes back; swaps up, then down.
//
// A torus contains the mesh, and is served as one: the links that close its rings stay idle. So the plan
// costs what it costs on the mesh, about twice what the links of the torus could do, and its worms take the
// long way round.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille {

struct MeshExchangeOptions {
  /// Which dimension is numbered last. The longest is used in the first and last ring phase only, if it is
  /// last: never dearer, and cheaper in three dimensions and more.
  enum class Order : uint8_t { kLongestLast, kLongestFirst };
  /// Which way the rings of odd coordinates run. Backward, the blocks of a node lie in its array by the hops
  /// that they go, for all groups alike; the cost is the same.
  enum class OddRings : uint8_t { kBackward, kForward };

  Order order = Order::kLongestLast;
  OddRings odd_rings = OddRings::kBackward;
};

/// Worms, no routers, and a mesh, or a torus where worms may take the long way round.
[[nodiscard]] Applicability mesh_exchange_applies(const Problem& problem);
/// Steps, critical blocks and hops, by formulas; on even R x C what is rearranged if every transfer is to be a
/// slice (program/arrays/array_layout.h), twice all blocks but a node's own.
[[nodiscard]] Prediction mesh_exchange_prediction(const Problem& problem, const MeshExchangeOptions& options);
void mesh_exchange(const Problem& problem, const MeshExchangeOptions& options, StepSink& sink);

}  // namespace quadrille
