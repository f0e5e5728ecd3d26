// Where a collective's blocks lie in the buffers of its ranks: MPI's layouts, for every collective at once.
//
// A rank's input holds the blocks that it has first, its output the blocks that it must have last, each in
// the order of their numbers and without gaps; a slot is the place of one block. For alltoall the block from
// s to d, piece p, lies in slot d*pieces+p of s's input and in slot s*pieces+p of d's output. Broadcast and
// scatter have an input at the root only, gather and reduce an output at the root only. In reductions every
// rank's input holds its contribution to every block.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/collective/collective.h"

namespace quadrille {

class BufferLayout {
 public:
  explicit BufferLayout(const Collective& collective);

  [[nodiscard]] const Collective& collective() const { return collective_; }
  [[nodiscard]] uint32_t num_ranks() const { return collective_.num_ranks(); }
  [[nodiscard]] uint32_t input_slots(Rank rank) const { return input_slots_[index(rank)]; }
  [[nodiscard]] uint32_t output_slots(Rank rank) const { return output_slots_[index(rank)]; }

  /// Whether the rank has the block first (in reductions: a contribution to it).
  [[nodiscard]] bool has_input(Rank rank, BlockId block) const {
    return collective_.flow() == Flow::kCombine || collective_.origin(block) == rank;
  }
  /// Whether the rank must have the block last.
  [[nodiscard]] bool has_output(Rank rank, BlockId block) const {
    return collective_.is_destination(block, rank);
  }
  /// The block's slot in the input of a rank that has it, in the output of a rank that must have it.
  [[nodiscard]] uint32_t input_slot(BlockId block) const {
    return input_slot_.empty() ? static_cast<uint32_t>(index(block)) : input_slot_[index(block)];
  }
  [[nodiscard]] uint32_t output_slot(BlockId block) const {
    return output_slot_.empty() ? static_cast<uint32_t>(index(block)) : output_slot_[index(block)];
  }

  /// The blocks of the rank's buffers, slot by slot.
  [[nodiscard]] std::vector<BlockId> input_blocks(Rank rank) const;
  [[nodiscard]] std::vector<BlockId> output_blocks(Rank rank) const;

 private:
  Collective collective_;
  std::vector<uint32_t> input_slots_;   // per rank
  std::vector<uint32_t> output_slots_;  // per rank
  std::vector<uint32_t> input_slot_;    // per block; empty: every rank has every block
  std::vector<uint32_t> output_slot_;
};

}  // namespace quadrille
