// Ring order: a closed walk that meets every node once, and every step of which is a link.
//
// Found, in this order: the nodes' own numbers (rings, circulants with jump 1, complete graphs); the powers
// of one generator of a Cayley graph; the snake through a product, closed by going back along its first
// column (tori, hypercubes, every mesh with an even side); and two searches that give up after a fixed number of
// moves, depth first (star graphs, cube-connected cycles and whatever is small) and by turning what has been walked
// (random networks of thousands of nodes).
#pragma once

#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// The nodes in ring order: there is an arc from each to the next and from the last to the first. One node is
/// a ring, and so are two that are linked both ways. Nothing where no ring is found: there may still be one.
[[nodiscard]] std::optional<std::vector<NodeId>> ring_order(const Topology& topology);

/// Whether ring_order() finds one in a product by its factors alone, without a link of the product: for an outline.
[[nodiscard]] bool has_product_ring(const ProductStructure& product);

/// The same for an open walk.
[[nodiscard]] std::optional<std::vector<NodeId>> path_order(const Topology& topology);

}  // namespace quadrille
