#include "quadrille/runtime/test_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// Bytes are made and compared in chunks of this many.
constexpr size_t kChunk = 4096;
using Chunk = std::array<std::byte, kChunk>;

// A different stream for every rank, block and round.
Rng stream_of(Rank rank, BlockId block, uint64_t round) {
  return Rng(Rng(Rng(Rng(round).next() + index(rank)).next() + index(block)).next());
}

// The next bytes of a stream: always whole words but at the end of a block.
void next_bytes(Rng& stream, Bytes into) {
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= into.size(); i += sizeof(uint64_t)) {
    const uint64_t word = stream.next();
    std::memcpy(into.data() + i, &word, sizeof word);
  }
  if (i == into.size()) return;
  const uint64_t word = stream.next();
  std::memcpy(into.data() + i, &word, into.size() - i);
}

// What a block must be in the end, chunk after chunk.
class Expected {
 public:
  Expected(const Collective& collective, BlockId block, uint64_t round) {
    if (collective.flow() != Flow::kCombine) {
      streams_.push_back(stream_of(collective.origin(block), block, round));
      return;
    }
    for (uint32_t r = 0; r < collective.num_ranks(); ++r)
      streams_.push_back(stream_of(Rank{r}, block, round));
  }

  void next(Bytes into) {
    next_bytes(streams_.front(), into);
    Chunk more;
    for (size_t s = 1; s < streams_.size(); ++s) {
      next_bytes(streams_[s], Bytes(more).first(into.size()));
      kSumBytes.apply(into.data(), more.data(), into.size());
    }
  }

 private:
  std::vector<Rng> streams_;
};

}  // namespace

void fill_block(Rank rank, BlockId block, uint64_t round, Bytes bytes) {
  Rng stream = stream_of(rank, block, round);
  next_bytes(stream, bytes);
}

void spoil_block(const Collective& collective, BlockId block, uint64_t round, Bytes bytes) {
  Expected expected(collective, block, round);
  for (size_t at = 0; at < bytes.size(); at += kChunk) {
    const Bytes part = bytes.subspan(at, std::min(kChunk, bytes.size() - at));
    expected.next(part);
    for (std::byte& byte : part) byte = ~byte;
  }
}

uint64_t count_wrong_bytes_of(const Collective& collective, BlockId block, uint64_t round, ConstBytes bytes) {
  uint64_t wrong = 0;
  Chunk chunk;
  Expected expected(collective, block, round);
  for (size_t at = 0; at < bytes.size(); at += kChunk) {
    const ConstBytes part = bytes.subspan(at, std::min(kChunk, bytes.size() - at));
    expected.next(Bytes(chunk).first(part.size()));
    if (std::memcmp(part.data(), chunk.data(), part.size()) == 0) continue;
    for (size_t i = 0; i < part.size(); ++i) wrong += part[i] == chunk[i] ? 0 : 1;
  }
  return wrong;
}

void fill_input(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round, Bytes input) {
  for (const BlockId block : layout.input_blocks(rank))
    fill_block(rank, block, round, input.subspan(layout.input_slot(block) * block_bytes, block_bytes));
}

void spoil_output(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round, Bytes output) {
  for (const BlockId block : layout.output_blocks(rank)) {
    spoil_block(layout.collective(), block, round,
                output.subspan(layout.output_slot(block) * block_bytes, block_bytes));
  }
}

uint64_t count_wrong_bytes(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round,
                           ConstBytes output) {
  uint64_t wrong = 0;
  for (const BlockId block : layout.output_blocks(rank)) {
    wrong += count_wrong_bytes_of(layout.collective(), block, round,
                                  output.subspan(layout.output_slot(block) * block_bytes, block_bytes));
  }
  return wrong;
}

}  // namespace quadrille
