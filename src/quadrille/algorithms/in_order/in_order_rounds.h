// In-order rounds: reductions of ranks for operators that do not commute, with their root anywhere.
//
// In round i whoever is still there takes the sums of up to radix - 1 subtrees of radix^i ranks each, from below and above
// its own run of ranks. The digits of the number of ranks below the root say how many of each round come from below; the
// others come from above: ceil(log_radix p) rounds, wherever the root is.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Ranks as they are numbered: not from the root.
[[nodiscard]] RankRounds in_order_rounds(uint32_t ranks, uint32_t root, uint32_t radix, uint32_t pieces);

/// The rounds of radix 2 for single packets on any network: messages go along shortest paths, and wait in slots on their
/// way, apart from what the nodes there have.
void route_in_order_rounds(const Problem& problem, StepSink& sink);

}  // namespace quadrille
