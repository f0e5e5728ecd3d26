// The tree of an extended ring that a node can follow without knowing it: a weight in the message says how
// much farther it has to go.
//
// In E_n^rho (n nodes in a circle, each linked to the rho nearest on both sides) the root sends the message
// to its neighbours, each with a weight: how many nodes the path that begins there has. A node that receives
// it takes one off the weight and, if something is left, passes it on by rho in the direction in which it
// came. So every branch of the root is a path in strides of rho, every node is informed exactly once, the
// height is the diameter D, and no branch has more than ceil((n-1)/degree) nodes.
//
//     const ExtendedRing ring = *as_extended_ring(net);
//     for (const WeightedSend& s : first_sends(ring)) ...      // what the root does
//     if (auto s = next_send(ring, received)) ...              // what everybody else does
//
// With w = floor((n-1)/rho) - D and k = n - (w+D) rho - 1: weight D clockwise to +1 .. +rho, weight w+1
// counterclockwise to -1 .. -k, weight w to -(k+1) .. -rho. A weight of 0 means that nothing is sent.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

struct ExtendedRing {
  uint32_t nodes = 1;
  uint32_t reach = 0;  ///< rho, at most nodes/2
};

/// The ring's size and reach; nothing if the graph is not known to be an extended ring. Rings and complete
/// graphs are extended rings.
[[nodiscard]] std::optional<ExtendedRing> as_extended_ring(const Topology& topology);

/// A message on its way: how far to go around the circle, negative for counterclockwise, and its weight.
struct WeightedSend {
  int64_t jump = 0;
  uint32_t weight = 0;
  friend bool operator==(const WeightedSend&, const WeightedSend&) = default;
};

/// What the root sends.
[[nodiscard]] std::vector<WeightedSend> first_sends(const ExtendedRing& ring);
/// What a node that has received `received` sends; nothing if the path ends with it.
[[nodiscard]] std::optional<WeightedSend> next_send(const ExtendedRing& ring, const WeightedSend& received);

/// The tree that the rule makes, found by following it from node to node. Only for extended rings.
[[nodiscard]] SpanningTree extended_ring_tree(const Topology& topology, NodeId root);

}  // namespace quadrille
