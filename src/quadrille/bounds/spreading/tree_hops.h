// Tree hops: what the blocks of an allgather cross in all, because so few steps leave them no short ways.
//
// Who gets a block in a step gets it from a rank that had it before, over a way as long as they are apart: a tree of as many levels
// as there are steps. Within d hops of a rank there are at most B_d others, and so within d hops of h ranks at most h B_d: of
// k ranks that get the block from h ranks at least k - h B_d are farther away than d, for every d. How many get it in each
// step is chosen as is best. And the way to the farthest rank is no longer than a tree with one rank a hop but for what lies
// beyond its levels. A reduce_scatter is the same backwards.
//
//     torus(32,32), hops of a block: 1 step 16,384; 2 1,902; 3 1,103; 4 1,051; .., 32 1,023
//
// The least total length of such a tree is hard to find (a hop-constrained minimum spanning tree); that this is no more is ours.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class TreeHops {
 public:
  /// Knows of none where the collective is another, where transfers are of one arc, or where the network is very large.
  explicit TreeHops(const Problem& problem);

  [[nodiscard]] bool is_known() const { return !farthest_.empty(); }
  /// With as many steps as that no way has to be longer than with more.
  [[nodiscard]] uint64_t most_levels() const;
  /// Of the blocks of all ranks; more than can be where so few steps do not do.
  [[nodiscard]] Int128 in_levels(uint64_t levels) const;

 private:
  void count(const std::vector<uint64_t>& within, uint64_t fan_out);

  uint64_t ranks_;
  std::vector<uint32_t> farthest_;  // hops from every rank to the farthest one
  std::vector<uint64_t> of_one_;    // [levels - 1]: hops of one block
};

}  // namespace quadrille
