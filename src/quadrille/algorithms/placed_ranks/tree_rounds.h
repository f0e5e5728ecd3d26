// Trees of ranks: one sends to many, who send on.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The ports that a rank can keep busy: what the model gives it for sending and receiving, and no more than it has links.
[[nodiscard]] uint32_t busy_ports(const Problem& problem);

/// With which the tree of the functions below has one level: the first rank sends to all others in one round.
[[nodiscard]] uint32_t flat_radix(const Problem& problem);

/// Of ranks in radix r >= 2: who has all sends it, in a round, to r-1 others, the farthest first. Radix 2 is the binomial tree.
[[nodiscard]] RankRounds knomial_broadcast(uint32_t ranks, uint32_t radix, uint32_t pieces);
/// The same for a block to each; what goes to one is what all in its part are to get. Parts are as equal as can be, so that the first
/// rank sends ceil((ranks - 1) / (radix - 1)) blocks in a row, or little more; of radix 2 they are those of the binomial tree.
[[nodiscard]] RankRounds knomial_scatter(uint32_t ranks, uint32_t radix, uint32_t pieces);

/// What ranks have already is not sent to them: rounds of a broadcast made of parts.
[[nodiscard]] RankRounds without_second_copies(const RankRounds& broadcast, uint32_t ranks, uint32_t pieces);

}  // namespace quadrille
