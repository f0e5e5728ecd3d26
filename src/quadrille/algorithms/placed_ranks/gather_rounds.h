// Allgathers of ranks in a circle: in every round each rank sends to the ranks at the same distances from itself.
//
// All of them have p-1 blocks for a rank to receive, and block v of a rank v has `pieces` pieces. Read backwards they are
// reduce_scatters.
#pragma once

#include <cstdint>
#include <span>

#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

/// In every round on to the next: p-1 rounds.
[[nodiscard]] RankRounds ring_allgather(uint32_t ranks, uint32_t pieces);
/// The same both ways at once: floor(p/2) rounds, to the rank opposite half of the pieces each way.
[[nodiscard]] RankRounds two_way_ring_allgather(uint32_t ranks, uint32_t pieces);
/// Bruck's: the blocks of w ranks in a row become those of (k+1) w, with k messages a round:
/// ceil(log_(k+1) p) rounds, in the last of them as many blocks from each: ceil((p-1)/k) in a row. The last round, and so the longest
/// way, has most blocks.
[[nodiscard]] RankRounds bruck_allgather(uint32_t ranks, uint32_t ports, uint32_t pieces);
/// In groups of ranks in a row, which fill the ranks: all of a group exchange their blocks, then each with those at its place in
/// the other groups what its group has. Two rounds; the first, with few blocks, is for those who are near.
[[nodiscard]] RankRounds grouped_allgather(uint32_t ranks, uint32_t group, uint32_t pieces);
/// On the circulant graph whose jumps are p halved and rounded up, again and again (9: 5, 3, 2, 1); the nearest first.
[[nodiscard]] RankRounds circulant_allgather(uint32_t ranks, uint32_t pieces);
/// Every block down a binomial tree of its own, cut off after p ranks, the farthest first: PAT. The shortest way has
/// most blocks.
[[nodiscard]] RankRounds pat_allgather(uint32_t ranks, uint32_t pieces);
/// What a rank has around itself becomes three times as much, by a message to either side: ceil(log3 p) rounds.
[[nodiscard]] RankRounds trivance_allgather(uint32_t ranks, uint32_t pieces);

/// The bucket algorithm on a grid with these sides, numbered in row-major order: along one dimension after the other,
/// around each line in turn, what has been gathered so far: sum of (side - 1) rounds. Class k of the pieces starts with
/// dimension k; where there are more classes than dimensions, the others go the other way round.
[[nodiscard]] RankRounds bucket_allgather(std::span<const uint32_t> sides, uint32_t classes, uint32_t pieces);

}  // namespace quadrille
