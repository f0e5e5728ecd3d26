#include "quadrille/program/buffer_layout.h"

namespace quadrille {

BufferLayout::BufferLayout(const Collective& collective) : collective_(collective) {
  const uint32_t blocks = collective.num_blocks();
  input_slots_.assign(collective.num_ranks(), 0);
  output_slots_.assign(collective.num_ranks(), 0);
  if (collective.flow() == Flow::kCombine) {
    input_slots_.assign(collective.num_ranks(), blocks);
  } else {
    input_slot_.resize(blocks);
    for (uint32_t b = 0; b < blocks; ++b)
      input_slot_[b] = input_slots_[index(collective.origin(BlockId{b}))]++;
  }
  if (collective.delivers_to_all()) {
    output_slots_.assign(collective.num_ranks(), blocks);
  } else {
    output_slot_.resize(blocks);
    for (uint32_t b = 0; b < blocks; ++b) {
      output_slot_[b] = output_slots_[index(collective.destination(BlockId{b}))]++;
    }
  }
}

std::vector<BlockId> BufferLayout::input_blocks(Rank rank) const {
  std::vector<BlockId> out;
  out.reserve(input_slots(rank));
  for (uint32_t b = 0; b < collective_.num_blocks(); ++b) {
    if (has_input(rank, BlockId{b})) out.push_back(BlockId{b});
  }
  return out;
}

std::vector<BlockId> BufferLayout::output_blocks(Rank rank) const {
  std::vector<BlockId> out;
  out.reserve(output_slots(rank));
  for (uint32_t b = 0; b < collective_.num_blocks(); ++b) {
    if (has_output(rank, BlockId{b})) out.push_back(BlockId{b});
  }
  return out;
}

}  // namespace quadrille
