// Distances in a product without looking at its links: hops add up over the dimensions, so how many nodes are how far
// away follows from the same counts of the factors.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// How far a node is from others; `towards`: how far these are from it.
struct ProductDistances {
  std::vector<uint64_t> nodes_at{};  ///< how many nodes are that many hops away; nodes_at[0] is 1
  NodeId farthest{0};                ///< the first of those that are farthest
  UInt128 sum = 0;                   ///< over all nodes

  [[nodiscard]] uint32_t hops() const { return static_cast<uint32_t>(nodes_at.size() - 1); }
};

/// In a product without routers.
[[nodiscard]] ProductDistances product_distances(const Topology& product, NodeId node, bool towards = false);

}  // namespace quadrille
