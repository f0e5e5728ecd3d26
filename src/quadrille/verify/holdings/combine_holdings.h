// Whose contributions every node has gathered to every block of a reduction.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/base/memory/large_array.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/holdings/block_range.h"
#include "quadrille/verify/holdings/sum_forest.h"
#include "quadrille/verify/judged_step.h"

namespace quadrille {

/// Flow::kCombine: a set of ranks per block and node, one bit each, so that a contribution that is added
/// twice is seen where it happens. Presence bits alone would pass it. As long as a block's sums go up trees, the
/// sets follow from who sent to whom and are not written (SumForest). Checks the rules sender_holds and
/// contributions, and delivered at the end. Calls on disjoint ranges may run at the same time.
class CombineHoldings {
 public:
  CombineHoldings(const Problem& problem, BlockRange followed);

  /// Steps that follow each other: as long as there are forests, block by block, each through all of them.
  void apply(std::span<const JudgedStep> steps, BlockRange range, Findings& findings);
  void apply(const JudgedStep& step, BlockRange range, Findings& findings) {
    apply(std::span(&step, 1), range, findings);
  }
  void finish(BlockRange range, Findings& findings);

  /// The blocks that are followed here.
  [[nodiscard]] BlockRange followed() const { return followed_; }
  /// Writes the sets of these blocks, where they are not yet: what append_set asks for.
  void write_sets(BlockRange range);
  /// Appends the ranks whose contributions to the block the node has, 64 a word.
  void append_set(BlockId block, NodeId node, std::vector<uint64_t>& out) const {
    append_set(cell(block, node), node, out);
  }

 private:
  // A transfer of one of several steps.
  struct Transfer {
    SumForest::Move move;
    uint32_t step;  // among these
  };
  // A block of one.
  struct Delivery {
    BlockId block;
    uint32_t transfer;  // counted through all steps
    uint32_t place;     // among the blocks of the transfer
  };
  // The last step in which something arrived for a block at a node, and whether it was a copy.
  struct Arrival {
    uint32_t step;
    uint32_t copy;
  };

  [[nodiscard]] uint32_t followed(BlockId block) const {
    return static_cast<uint32_t>(block) - followed_.first;
  }
  [[nodiscard]] size_t cell(BlockId block, NodeId node) const {
    return size_t{followed(block)} * problem_.topology().num_nodes() + index(node);
  }
  // Before anything has arrived at a cell, its set is what the node itself contributes, and is not stored:
  // sets take memory only where a plan brings something.
  [[nodiscard]] bool is_untouched(size_t cell) const { return arrival(cell).step == 0; }
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
    uint32_t step = 0;  // of several
  };
  // `Tell` takes a Fault.
  template <typename Tell>
  void send(const JudgedStep& step, uint32_t t, uint32_t place, std::vector<uint64_t>& out, Tell tell) const;
  template <typename Tell>
  void arrive(const JudgedStep& step, uint32_t t, uint32_t place, const uint64_t* sent, Tell tell);
  void report(const JudgedStep& step, const Fault& fault, Findings& findings) const;

  // Transfer by transfer, and block by block: what is in a large step, or in several, for one block stays in the cache, and a
  // forest wants to see all that comes of its block.
  void apply_as_listed(const JudgedStep& step, BlockRange range, uint64_t deliveries, Findings& findings);
  // Where nobody has counted the deliveries, there are many.
  void apply_by_block(std::span<const JudgedStep> steps, BlockRange range, std::optional<uint64_t> deliveries,
                      Findings& findings);
  [[nodiscard]] static std::vector<Delivery> by_block(std::span<const JudgedStep> steps, BlockRange range,
                                                      std::optional<uint64_t> deliveries);
  [[nodiscard]] bool are_all_forests(BlockRange range) const;
  void write_sets(BlockId block);
  [[nodiscard]] bool is_delivered_by_forest(BlockId block);

  const Problem& problem_;
  BlockRange followed_;
  size_t set_;  // words per set
  // A cell is the forest's, or, of a block that has sets, an Arrival: nobody needs both.
  [[nodiscard]] Arrival arrival(size_t cell) const { return std::bit_cast<Arrival>(cells_[cell]); }
  void set_arrival(size_t cell, const Arrival& to) { cells_[cell] = std::bit_cast<SumForest::Cell>(to); }
  [[nodiscard]] std::span<SumForest::Cell> cells_of(BlockId block) {
    return {&cells_[cell(block, NodeId{0})], problem_.topology().num_nodes()};
  }

  SumForest forest_;
  std::vector<uint8_t> has_sets_;  // a block: whether its sets are written, and the forest left
  LargeArray<uint64_t> sets_;
  LargeArray<SumForest::Cell> cells_;
};

}  // namespace quadrille
