// Spread routes: a path for every pair of endpoints, such that the busiest node passes on as few blocks as can
// be found.
//
// With one port a node takes as many steps as it has blocks to send, its own and those that pass through it, so
// the busiest node says how many steps a total exchange takes at least over these paths; a detour around it is
// worth its longer way. A node's price grows with its load, the more sharply the longer the search goes on; one
// block after another is offered a cheapest path, and takes it where it is cheaper once its own load is taken
// away. Deterministic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

class SpreadRoutes {
 public:
  explicit SpreadRoutes(const Topology& topology);

  /// The arcs from one endpoint to another one; none from one to itself.
  [[nodiscard]] std::span<const ArcId> path(Rank from, Rank to) const {
    const size_t pair = index(from) * ranks_ + index(to);
    return std::span<const ArcId>(arcs_).subspan(begin_[pair], begin_[pair + 1] - begin_[pair]);
  }
  /// Blocks that the busiest node sends when every endpoint has one for each other.
  [[nodiscard]] uint64_t busiest() const { return busiest_; }

 private:
  friend class RouteSpreading;

  size_t ranks_ = 0;
  uint64_t busiest_ = 0;
  std::vector<ArcId> arcs_;
  std::vector<size_t> begin_;
};

}  // namespace quadrille
