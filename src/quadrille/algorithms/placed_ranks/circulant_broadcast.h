// Broadcast of n chunks with one port in n - 1 + ceil(log2 p) rounds, which no plan can beat: on the circulant graph.
//
// With q = ceil(log2 p) rounds to a phase, round k of every phase sends from each rank v to v + s_k, where the jumps
// s_k are p halved and rounded up, again and again, the least first. A table says, for each rank and round of a
// phase, which chunk comes: the same one in every phase, moved on by q. In a phase each rank receives one chunk of the
// phase and of the q - 1 others the one of the phase before, so that it falls behind by nothing.
//
// The table is computed rank by rank, as Traeff shows: chunks come along paths of jumps, and a rank takes from the sender of
// each round the chunk of the path that ends there last.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

/// Of the cards that broadcast so, and of those that reduce so, backwards.
[[nodiscard]] Chunking circulant_broadcast_chunks(const Problem& problem);

/// Its rounds, of one chunk a message and one message of a rank.
[[nodiscard]] std::optional<RoundsOutline> circulant_broadcast_outline(const Problem& problem);

/// Chunks from rank 0 to all.
[[nodiscard]] RankRounds circulant_broadcast(uint32_t ranks, uint32_t chunks);

}  // namespace quadrille
