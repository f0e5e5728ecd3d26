// Priced paths: a path for every block, such that no link and no port has much more to do than others.
//
// A link's price grows with its load, the more sharply the longer the search goes on. One block after another
// is offered a cheapest path; it takes it only where, once its own load is taken away, the new path is cheaper
// than the old one: without that all blocks of a tree of paths move at once, and come back (Young 1995 and
// Garg, Koenemann 2007 are the theory; the test is what makes whole blocks converge). Ports that the model
// limits have a price like links. In the end single paths leave what has a little too much (unload_paths.h).
// Deterministic, on any graph, with any capacities, ports and duplex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Paths of the blocks that have to move, for collectives whose blocks move (scatter, gather, alltoall).
class PricedPaths {
 public:
  explicit PricedPaths(const Problem& problem);

  [[nodiscard]] size_t size() const { return blocks_.size(); }
  [[nodiscard]] BlockId block(size_t i) const { return blocks_[i]; }
  [[nodiscard]] std::span<const ArcId> path(size_t i) const {
    return std::span<const ArcId>(arcs_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  /// Where the hops of a path stand among those of all paths.
  [[nodiscard]] size_t first_hop(size_t i) const { return begin_[i]; }
  [[nodiscard]] size_t num_hops() const { return arcs_.size(); }
  /// Steps that the busiest link or port needs.
  [[nodiscard]] uint64_t busiest() const { return busiest_; }
  /// Steps that any paths need, by distances, capacities and ports alone.
  [[nodiscard]] uint64_t least() const { return least_; }

 private:
  friend class PathPricing;
  friend class RoundSpreading;

  PricedPaths() = default;

  uint64_t busiest_ = 0;
  uint64_t least_ = 0;
  std::vector<BlockId> blocks_;
  std::vector<ArcId> arcs_;
  std::vector<size_t> begin_;
};

}  // namespace quadrille
