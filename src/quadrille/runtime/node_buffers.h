// Node buffers: the input and the output of one rank, computed from its own number alone.
//
// They are laid out as BufferLayout says (program/buffer_layout.h), which lists the blocks of all ranks; a
// node that runs by itself holds nothing of the others. Not for reductions.
#pragma once

#include <cstdint>

#include "quadrille/collective/collective.h"

namespace quadrille {

class NodeBuffers {
 public:
  NodeBuffers(const Collective& collective, Rank rank);

  [[nodiscard]] const Collective& collective() const { return collective_; }
  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] uint32_t input_slots() const { return input_slots_; }
  [[nodiscard]] uint32_t output_slots() const { return output_slots_; }

  [[nodiscard]] BlockId input_block(uint32_t slot) const { return id_at<BlockId>(first_input_ + slot); }
  [[nodiscard]] BlockId output_block(uint32_t slot) const;
  /// Of a block that the rank has first, or must have last.
  [[nodiscard]] uint32_t input_slot(BlockId block) const {
    return static_cast<uint32_t>(index(block)) - first_input_;
  }
  [[nodiscard]] uint32_t output_slot(BlockId block) const;
  [[nodiscard]] bool has_output(BlockId block) const { return collective_.is_destination(block, rank_); }

 private:
  Collective collective_;
  Rank rank_;
  uint32_t first_input_ = 0;
  uint32_t input_slots_ = 0;
  uint32_t output_slots_ = 0;
};

}  // namespace quadrille
