// Pairs at once: every rank sends something to each other one, all in one step, on networks of more ranks than ways are balanced for
// message by message (all_at_once.h): up to two thousand. All blocks of a pair go one way (packing/pair_ways.h).
#pragma once

#include <vector>

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// Whether there are too many messages, or too many pieces, for the ways of each.
[[nodiscard]] bool goes_by_pairs(const Problem& problem);

/// What all_at_once_apply() says and, where that goes by pairs, any routing, and no more pairs and hops than one step should have.
[[nodiscard]] Applicability pairs_at_once_apply(const Problem& problem);

/// Adds the blocks that one rank sends to another: as many as the problem has pieces.
using BlocksOfPair = void (*)(const Problem&, Rank from, Rank to, std::vector<BlockId>& out);

/// Where it goes by pairs.
[[nodiscard]] Preparation prepare_pairs_at_once(const Problem& problem, BlocksOfPair blocks);

}  // namespace quadrille
