// The test pattern: bytes from which every misplaced, missing, stale or doubly reduced byte shows.
//
// Byte i of what a rank contributes to a block is a fixed function of the rank, the block (hence its origin,
// destination and piece), the round, and i. A rank fills its input with its own contributions and knows what
// every byte of its output must be, without asking anyone: the origin's bytes, or in reductions the sum over
// all.
#pragma once

#include "quadrille/program/buffer_layout.h"
#include "quadrille/runtime/transport.h"

namespace quadrille {

/// The same for one block: what a rank contributes to it; an opposite of what must arrive; how many bytes of
/// what arrived are wrong.
void fill_block(Rank rank, BlockId block, uint64_t round, Bytes bytes);
void spoil_block(const Collective& collective, BlockId block, uint64_t round, Bytes bytes);
[[nodiscard]] uint64_t count_wrong_bytes_of(const Collective& collective, BlockId block, uint64_t round,
                                            ConstBytes bytes);

/// The input of a rank in some round of a run.
void fill_input(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round, Bytes input);

/// An output that is wrong in every byte for that round: each is the opposite of what it must be.
void spoil_output(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round, Bytes output);

/// How many bytes of the rank's output are not what they must be after a collective with the inputs of that
/// round; reductions by kSumBytes.
[[nodiscard]] uint64_t count_wrong_bytes(const BufferLayout& layout, Rank rank, size_t block_bytes,
                                         uint64_t round, ConstBytes output);

}  // namespace quadrille
