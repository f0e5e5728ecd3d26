// How many messages a rank sends in a round, where an algorithm leaves that open.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The fewest with which two rounds reach so many ranks: k with (k + 1)^2 at least as large.
[[nodiscard]] uint32_t messages_of_two_rounds(uint32_t ranks);

/// Whether several numbers are worth a look: paths share links, which then carry several messages in a step, and there are
/// ports for two rounds to reach everybody.
[[nodiscard]] bool has_choice_of_messages(const Problem& problem);

/// Whether so many messages a round, more than keep ports busy, are those of two rounds in groups of ranks in a row: where groups fill
/// the ranks.
[[nodiscard]] bool goes_in_groups(const Problem& problem, uint32_t messages);

/// Of so many messages a round: Bruck's, or in groups (gather_rounds.h).
[[nodiscard]] RankRounds allgather_by_messages(const Problem& problem, uint32_t messages, uint32_t pieces);

/// What is known of allgather_by_messages before it is made.
[[nodiscard]] std::optional<RoundsOutline> outline_by_messages(const Problem& problem, uint32_t messages);
/// And of a vector that goes there and back.
[[nodiscard]] std::optional<RoundsOutline> vector_outline_by_messages(const Problem& problem,
                                                                      uint32_t messages);
using OutlineByMessages = std::optional<RoundsOutline> (*)(const Problem&, uint32_t messages);

/// A plan of as many messages as a rank keeps ports busy (tree_rounds.h), and, where has_choice_of_messages(), one with so many
/// that two rounds reach everybody, a member by the name "k-messages". `by_number`: as in RoundsMember.
[[nodiscard]] Preparation prepare_by_messages(const Problem& problem,
                                              RankRounds (*rounds)(const Problem&, uint32_t messages),
                                              bool by_number = false, OutlineByMessages outline = nullptr);

template <RankRounds (*kRounds)(const Problem&, uint32_t messages), OutlineByMessages kOutline = nullptr>
[[nodiscard]] Preparation placed_by_messages(const Problem& problem) {
  return prepare_by_messages(problem, kRounds, false, kOutline);
}

}  // namespace quadrille
