// Where every block of a personalised collective is. The judge's largest array and its innermost loop.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/base/numbers/fast_divider.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/holdings/block_range.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

/// Flow::kMove: a block has one holder. Checks the rules sender_holds and delivered_once, and delivered at
/// the end.
///
/// Eight bytes a block: its holder, and the step in which it came there, which tells "is here" from "is
/// arriving". So each move costs one random access, fetched ahead of its use. Calls on disjoint ranges, of those blocks that
/// are followed here, may run at the same time.
class MoveHoldings {
 public:
  MoveHoldings(const Problem& problem, BlockRange followed);

  void apply(const JudgedStep& step, BlockRange range, Findings& findings);
  void finish(BlockRange range, Findings& findings) const;

 private:
  struct Entry {
    uint32_t holder;
    uint32_t step;
  };

  [[nodiscard]] uint32_t destination(uint32_t block) const;
  [[nodiscard]] Entry& entry(uint32_t block) { return entries_[block - followed_.first]; }
  void move(const JudgedStep& step, size_t t, uint32_t block, uint32_t sender, uint32_t receiver,
            Findings& findings);
  void report(const JudgedStep& step, size_t t, uint32_t block, uint32_t sender, Entry found,
              Findings& findings) const;
  void apply_unit(const JudgedStep& step, BlockRange range, Findings& findings);
  void apply_worms(const JudgedStep& step, BlockRange range, Findings& findings);

  const Problem& problem_;
  const Rank* destinations_;  // by block, where they are a table
  FastDivider by_pieces_;
  FastDivider by_ranks_;
  std::vector<uint32_t> endpoints_;  // node of each rank
  uint32_t root_;                    // node, where all blocks go to the root
  bool to_root_;
  BlockRange followed_;
  LargeArray<Entry> entries_;  // by block, from the first that is followed
};

}  // namespace quadrille
