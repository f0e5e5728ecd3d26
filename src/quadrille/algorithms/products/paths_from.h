// Paths from one node: the shortest ones that algorithm A1 moves its messages on, as a breadth-first tree. The
// plan and the nodes that run by themselves must mean the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class PathsFrom {
 public:
  /// The network must outlive it.
  PathsFrom(const Topology& net, uint32_t from);

  /// The arcs of the path to a node, in order.
  void find(uint32_t to, std::vector<ArcId>& path) const;
  /// Adds, for every arc, how many of the paths use it; returns the sum of their lengths.
  uint64_t add_loads(std::vector<uint64_t>& load) const;

 private:
  const Topology& net_;
  uint32_t from_;
  std::vector<ArcId> up_;  // the last arc of the path to a node
  std::vector<uint32_t> order_;
};

}  // namespace quadrille
