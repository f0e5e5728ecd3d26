// Which nodes have which block of a broadcast or an allgather.
#pragma once

#include <cstdint>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/holdings/block_range.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

/// Flow::kCopy: one bit per block and node. Checks the rules sender_holds and delivered_once, and delivered
/// at the end. Calls on disjoint ranges, of those blocks that are followed here, may run at the same
/// time: a block's bits lie in words of its own.
class CopyHoldings {
 public:
  CopyHoldings(const Problem& problem, BlockRange followed);

  void apply(const JudgedStep& step, BlockRange range, Findings& findings);
  void finish(BlockRange range, Findings& findings) const;

 private:
  [[nodiscard]] size_t word(BlockId block, NodeId node) const {
    return (index(block) - followed_.first) * row_ + index(node) / 64;
  }
  [[nodiscard]] static uint64_t bit(NodeId node) { return uint64_t{1} << (index(node) % 64); }
  template <typename Use>
  void for_each_block(const StepView& view, BlockRange range, Use use) const;

  const Problem& problem_;
  BlockRange followed_;
  size_t row_;  // words per block
  LargeArray<uint64_t> has_;
};

}  // namespace quadrille
