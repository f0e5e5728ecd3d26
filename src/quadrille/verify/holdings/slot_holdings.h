// Whose contributions every node has gathered to every block of a reduction, in partial sums that are kept
// apart: what CombineHoldings is to plans without slots.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/holdings/block_range.h"
#include "quadrille/verify/holdings/combine_holdings.h"
#include "quadrille/verify/holdings/rank_sets.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

/// Flow::kCombine, from the first step on that speaks of slots. Each slot of a node and block holds the number
/// of a set of ranks (RankSets), four bytes; slots that no transfer has named take nothing. Checks the rules
/// sender_holds and contributions, and delivered at the end. Calls on disjoint ranges may run at the same
/// time; a range has sets of its own, and must always be the same.
class SlotHoldings {
 public:
  /// Goes on where the other has come to.
  SlotHoldings(const Problem& problem, CombineHoldings before);

  void apply(const JudgedStep& step, BlockRange range, Findings& findings);
  void finish(BlockRange range, Findings& findings);

 private:
  // The last step in which something arrived for a block at a node, and into which slots: a bit for each, and
  // for each that a copy went into.
  struct Arrivals {
    uint32_t step;
    uint32_t slots;
    uint32_t copies;
  };
  // What one thread knows: its blocks.
  struct Share {
    explicit Share(uint32_t ranks) : sets(ranks) {}

    RankSets sets;
    std::vector<LargeArray<RankSets::Set>> slots;  // per slot, per block of the range and node
    LargeArray<Arrivals> arrivals;
    std::vector<RankSets::Set> sent;  // in this step
    // What was added to in this step, by the first transfer that did: asked for only where order counts.
    struct Added {
      size_t transfer;
      BlockId block;
      size_t cell;
      uint32_t slot;
    };
    std::vector<Added> added;
  };

  [[nodiscard]] Share& share_of(BlockRange range);
  void take_over(Share& share, BlockRange range);
  void need_slot(Share& share, BlockRange range, uint32_t slot) const;
  [[nodiscard]] size_t cell(BlockRange range, BlockId block, NodeId node) const {
    return (index(block) - range.first) * problem_.topology().num_nodes() + index(node);
  }
  // The sum of the slots in the mask; and the first rank that two of them have in common.
  struct Sum {
    RankSets::Set set = RankSets::kEmpty;
    std::optional<Rank> twice{};
    uint32_t parts = 0;  // slots with something in them
  };
  [[nodiscard]] static Sum sum_of(Share& share, size_t cell, uint32_t slots);
  void arrive(Share& share, const JudgedStep& step, size_t t, BlockRange range, BlockId block,
              RankSets::Set sent, Findings& findings);

  void check_order(Share& share, const JudgedStep& step, Findings& findings) const;

  const Problem& problem_;
  bool ordered_;      // the operator does not commute
  std::mutex mutex_;  // of what follows
  std::optional<CombineHoldings> before_;
  uint64_t blocks_taken_over_ = 0;
  std::map<uint32_t, std::unique_ptr<Share>> shares_;  // by the first block
};

}  // namespace quadrille
