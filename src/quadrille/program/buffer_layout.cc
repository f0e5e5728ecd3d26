#include "quadrille/program/buffer_layout.h"

namespace quadrille {

template <typename RankOf>
void BufferLayout::Side::sort(uint32_t ranks, uint32_t count, RankOf rank_of) {
  begin.assign(size_t{ranks} + 1, 0);
  slot.resize(count);
  for (uint32_t b = 0; b < count; ++b)
    slot[b] = static_cast<uint32_t>(begin[index(rank_of(BlockId{b})) + 1]++);
  for (uint32_t r = 0; r < ranks; ++r) begin[r + 1] += begin[r];
  blocks.resize(count);
  for (uint32_t b = 0; b < count; ++b) blocks[begin[index(rank_of(BlockId{b}))] + slot[b]] = BlockId{b};
}

void BufferLayout::Side::take_all(uint32_t count) {
  blocks.reserve(count);
  for (uint32_t b = 0; b < count; ++b) blocks.push_back(BlockId{b});
}

BufferLayout::BufferLayout(const Collective& collective) : collective_(collective) {
  const uint32_t blocks = collective.num_blocks();
  const uint32_t ranks = collective.num_ranks();
  if (collective.flow() == Flow::kCombine) {
    input_.take_all(blocks);
  } else {
    input_.sort(ranks, blocks, [&](BlockId block) { return collective_.origin(block); });
  }
  if (collective.delivers_to_all()) {
    output_.take_all(blocks);
  } else {
    output_.sort(ranks, blocks, [&](BlockId block) { return collective_.destination(block); });
  }
}

}  // namespace quadrille
