// Worth placing: whether rounds of ranks may be wanted, before they are made, and before they are placed.
//
// Whoever has said how long a plan may take (graphs/worth_making.h) is spared rounds that take longer however they lie: for the ports and
// links of a rank, and, where ranks have one place each, for all their hops.
#pragma once

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// By what is known of them without their messages: a ring of a thousand ranks has a million.
[[nodiscard]] bool are_worth_making(const Problem& problem, const RoundsMember& member);
/// By their messages.
[[nodiscard]] bool are_worth_placing(const Problem& problem, const RankRounds& rounds, bool by_number);
/// Of packets that others pass on: for who asks for them by name, or compares, since other plans are as short.
[[nodiscard]] bool are_worth_forwarding(const Problem& problem);

}  // namespace quadrille
