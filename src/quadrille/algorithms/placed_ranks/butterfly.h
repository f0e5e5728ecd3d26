// Butterflies: in every round each rank has one partner, and after log2 p rounds news of one rank can be everywhere.
//
// Recursive doubling and halving, Swing and Bine differ in nothing but who the partner is:
//
//     partner in round i      of rank v
//     recursive doubling      v xor 2^i
//     Swing                   v + 1, - 1, + 3, - 5, .. for even v, the other way for odd v, around a ring; on a torus
//                             the rounds go through its dimensions in turn
//     Bine                    Swing's partners, the farthest first
//
// Everything else follows: what a rank keeps of a vector when it is halved is what its partners of later rounds
// are there to collect.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_sides.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct Butterfly {
  uint32_t ranks = 1;                           ///< a power of two
  std::vector<std::vector<uint32_t>> partners;  ///< per round and rank

  [[nodiscard]] size_t rounds() const { return partners.size(); }
  /// The rounds in the opposite order.
  [[nodiscard]] Butterfly backwards() const;
};

[[nodiscard]] bool is_power_of_two(uint32_t ranks);
/// Rounds apply (placed_rounds.h), and there are that many ranks.
[[nodiscard]] Applicability butterfly_applies(const Problem& problem);

/// Partners at distances 1, 2, 4, ..
[[nodiscard]] Butterfly doubling_butterfly(uint32_t ranks);
/// On a grid with these sides, numbered in row-major order; each is a power of two. The turn of dimension `first` comes
/// first; mirrored, everybody swings the other way.
[[nodiscard]] Butterfly swing_butterfly(std::span<const uint32_t> sides, size_t first = 0,
                                        bool mirrored = false);
/// In how many ways at once, for a class of the pieces each, a rank can swing: from every dimension, in both directions.
[[nodiscard]] uint32_t swing_classes(const Problem& problem);
/// Their butterflies.
[[nodiscard]] Butterfly swing_butterfly_of(const Problem& problem, uint32_t klass);

/// One rank's message to all: who has it sends it to its partner of the round.
[[nodiscard]] RankRounds butterfly_broadcast(const Butterfly& butterfly, uint32_t pieces);
/// The same for a block to each, of so many pieces.
[[nodiscard]] RankRounds butterfly_scatter(const Butterfly& butterfly, uint32_t pieces);
/// Reduce_scatter by halving: in round i partners divide what they still hold.
[[nodiscard]] RankRounds butterfly_halving(const Butterfly& butterfly, uint32_t pieces);
/// Allreduce by halving, but for the last `merged` rounds, in which partners exchange all that they still hold; then
/// the rounds before are undone with copies. merged = 0 is a reduce_scatter and an allgather; 1 costs no more blocks
/// and a round less; all of them is recursive doubling.
[[nodiscard]] RankRounds butterfly_allreduce(const Butterfly& butterfly, uint32_t pieces, size_t merged);

/// For any number of ranks an allreduce for the largest power of two in it: those too many first add their vector to
/// their neighbour's, and last receive a copy of the result, if they are to have it.
[[nodiscard]] RankRounds folded(uint32_t ranks, uint32_t pieces,
                                const std::function<RankRounds(uint32_t ranks)>& of_power_of_two,
                                bool back = true);

/// Rabenseifner's reduce to rank 0: a reduce_scatter by halving, then the sums come up a binomial tree. Of any number of ranks
/// and of pieces.
[[nodiscard]] RankRounds halving_reduce(uint32_t ranks, uint32_t pieces);

}  // namespace quadrille
