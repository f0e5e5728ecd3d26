// Where a collective's blocks lie in the buffers of its ranks: MPI's layouts, for every collective at once.
//
// A rank's input holds the blocks that it has first, its output the blocks that it must have last, each in
// the order of their numbers and without gaps; a slot is the place of one block. For alltoall the block from
// s to d, piece p, lies in slot d*pieces+p of s's input and in slot s*pieces+p of d's output. Broadcast and
// scatter have an input at the root only, gather and reduce an output at the root only. In reductions every
// rank's input holds its contribution to every block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/collective/collective.h"

namespace quadrille {

class BufferLayout {
 public:
  explicit BufferLayout(const Collective& collective);

  [[nodiscard]] const Collective& collective() const { return collective_; }
  [[nodiscard]] uint32_t num_ranks() const { return collective_.num_ranks(); }
  [[nodiscard]] uint32_t input_slots(Rank rank) const {
    return static_cast<uint32_t>(input_blocks(rank).size());
  }
  [[nodiscard]] uint32_t output_slots(Rank rank) const {
    return static_cast<uint32_t>(output_blocks(rank).size());
  }

  /// Whether the rank has the block first (in reductions: a contribution to it).
  [[nodiscard]] bool has_input(Rank rank, BlockId block) const {
    return collective_.flow() == Flow::kCombine || collective_.origin(block) == rank;
  }
  /// Whether the rank must have the block last.
  [[nodiscard]] bool has_output(Rank rank, BlockId block) const {
    return collective_.is_destination(block, rank);
  }
  /// The block's slot in the input of a rank that has it, in the output of a rank that must have it.
  [[nodiscard]] uint32_t input_slot(BlockId block) const { return input_.slot_of(block); }
  [[nodiscard]] uint32_t output_slot(BlockId block) const { return output_.slot_of(block); }

  /// The blocks of the rank's buffers, slot by slot.
  [[nodiscard]] std::span<const BlockId> input_blocks(Rank rank) const { return input_.blocks_of(rank); }
  [[nodiscard]] std::span<const BlockId> output_blocks(Rank rank) const { return output_.blocks_of(rank); }

 private:
  // One side: the blocks of every rank, in the order of their numbers.
  struct Side {
    std::vector<size_t> begin{};    // per rank, and the end; empty: every rank has every block
    std::vector<BlockId> blocks{};  // rank after rank
    std::vector<uint32_t> slot{};   // per block; empty: its number

    template <typename RankOf>
    void sort(uint32_t ranks, uint32_t count, RankOf rank_of);
    void take_all(uint32_t count);
    [[nodiscard]] std::span<const BlockId> blocks_of(Rank rank) const {
      if (begin.empty()) return blocks;
      return std::span(blocks).subspan(begin[index(rank)], begin[index(rank) + 1] - begin[index(rank)]);
    }
    [[nodiscard]] uint32_t slot_of(BlockId block) const {
      return slot.empty() ? static_cast<uint32_t>(index(block)) : slot[index(block)];
    }
  };

  Collective collective_;
  Side input_{};
  Side output_{};
};

}  // namespace quadrille
