// Placed rounds: an algorithm that was written for ranks which all reach each other (rank_rounds.h), on any network.
//
//     .applies = rounds_apply,
//     .prepare = placed<allgather_bruck_parts::rounds>,        // RankRounds rounds(const Problem&)
//
// The ranks are placed: in the order of their numbers, along a walk through the network, or, with a root elsewhere than
// at rank 0, so that it comes first. Each round's messages take short paths and are packed into few steps of worms that
// keep out of each other's way (packing/worm_packing.h); then every transfer moves to the earliest step that has room for it
// (transforms/compact_steps.h). The placement with fewest steps is taken, then the one with fewer blocks in a row. Where
// nobody can be in anybody's way, on complete graphs, a round is a step and nothing is searched.
//
// Two ranks that exchange their contributions to a block in one round may find no step for both messages. Then the
// one that comes second sends the sum back, as a copy.
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

/// Any network where a transfer may take a path and carry any number of blocks, if not too large for tables of next hops.
[[nodiscard]] Applicability rounds_apply(const Problem& problem);

using MakeRounds = RankRounds (*)(const Problem&);

[[nodiscard]] PreparedPlan prepare_placed(const Problem& problem, MakeRounds rounds, std::string member = {});
/// A member whose rounds are known already.
[[nodiscard]] PreparedPlan prepare_placed(const Problem& problem, RankRounds rounds, std::string member = {});

template <MakeRounds kRounds>
[[nodiscard]] Preparation placed(const Problem& problem) {
  return Preparation::of(prepare_placed(problem, kRounds));
}

}  // namespace quadrille
