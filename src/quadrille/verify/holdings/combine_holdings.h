// Whose contributions every node has gathered to every block of a reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/holdings/block_range.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

/// Flow::kCombine: a set of ranks per block and node, one bit each, so that a contribution that is added
/// twice is seen where it happens. Presence bits alone would pass it. Checks the rules sender_holds and
/// contributions, and delivered at the end. Calls on disjoint ranges may run at the same time.
class CombineHoldings {
 public:
  CombineHoldings(const Problem& problem, BlockRange followed);

  void apply(const JudgedStep& step, BlockRange range, Findings& findings);
  void finish(BlockRange range, Findings& findings) const;

  /// The blocks that are followed here.
  [[nodiscard]] BlockRange followed() const { return followed_; }
  /// Appends the ranks whose contributions to the block the node has, 64 a word.
  void append_set(BlockId block, NodeId node, std::vector<uint64_t>& out) const {
    append_set(cell(block, node), node, out);
  }

 private:
  // The last step in which something arrived for a block at a node, and whether it was a copy.
  struct Arrival {
    uint32_t step;
    uint32_t copy;
  };

  [[nodiscard]] size_t cell(BlockId block, NodeId node) const {
    return (index(block) - followed_.first) * problem_.topology().num_nodes() + index(node);
  }
  // Before anything has arrived at a cell, its set is what the node itself contributes, and is not stored:
  // sets take memory only where a plan brings something.
  [[nodiscard]] bool is_untouched(size_t cell) const { return arrivals_[cell].step == 0; }
  // Appends the set of a cell.
  void append_set(size_t cell, NodeId node, std::vector<uint64_t>& out) const;
  void add_own(NodeId node, uint64_t* set) const;

  // Something that is wrong with a block of a transfer.
  struct Fault {
    enum class Kind : uint8_t { kSenderLacks, kCopyConflict, kCountedTwice } kind;
    uint32_t transfer;
    uint32_t place;  // among the blocks of the transfer
    BlockId block;
    Rank twice{0};
  };
  // `Tell` takes a Fault.
  template <typename Tell>
  void send(const JudgedStep& step, uint32_t t, uint32_t place, std::vector<uint64_t>& out, Tell tell) const;
  template <typename Tell>
  void arrive(const JudgedStep& step, uint32_t t, uint32_t place, const uint64_t* sent, Tell tell);
  void report(const JudgedStep& step, const Fault& fault, Findings& findings) const;

  // Transfer by transfer, and block by block: what is in a large step for one block stays in the cache.
  void apply_as_listed(const JudgedStep& step, BlockRange range, uint64_t deliveries, Findings& findings);
  void apply_by_block(const JudgedStep& step, BlockRange range, uint64_t deliveries, Findings& findings);

  const Problem& problem_;
  BlockRange followed_;
  size_t set_;  // words per set
  LargeArray<uint64_t> sets_;
  LargeArray<Arrival> arrivals_;
};

}  // namespace quadrille
