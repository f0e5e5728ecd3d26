// Placed rounds: an algorithm that was written for ranks which all reach each other (rank_rounds.h), on any network.
//
//     .applies = rounds_apply,
//     .prepare = placed<allgather_bruck_parts::rounds>,        // RankRounds rounds(const Problem&)
//
// The ranks are placed: in the order of their numbers, by Gray codes, along a walk through the network, or, with a root elsewhere than
// at rank 0, so that it comes first. Each round's messages take short paths and are packed into few steps of worms that
// keep out of each other's way (packing/worms/worm_packing.h); then every transfer moves to the earliest step that has room for it
// (transforms/compact_steps.h). The placement with fewest steps is taken, then the one with fewer blocks in a row. Where
// nobody can be in anybody's way, on complete graphs, a round is a step and nothing is searched. Where paths may share links
// a round is a step, too, as far as the ports go, and the ways are chosen so that the busiest link carries little. Packets
// are passed on by those who are between partners, where some placement does not make neighbours of all
// (routed/forwarded_packets.h), if their blocks go down trees, or sums up them.
//
// Where the operator does not commute ranks are placed in the order of their numbers alone.
//
// Two ranks that exchange their contributions to a block in one round may find no step for both messages. Then the
// one that comes second sends the sum back, as a copy.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"

namespace quadrille {

/// Any network that is not too large for tables of next hops; for packets, networks of some hundred ranks.
[[nodiscard]] Applicability rounds_apply(const Problem& problem);

/// The same for rounds along the lines of a product, where no placement has to be looked for: products of up to 1,024 nodes.
[[nodiscard]] Applicability line_rounds_apply(const Problem& problem);

/// Whether the network is one of hosts on switches, too large to look for places and small enough that rounds are routed in a
/// moment: worth asking where messages have a size.
[[nodiscard]] bool are_soon_routed(const Problem& problem);

/// Of rounds that are steps as they are, since all ranks are neighbours.
struct RoundsOutline {
  uint64_t rounds = 0;
  uint64_t blocks = 0;                           ///< of the longest message of each round, all together
  uint64_t messages = 1;                         ///< the most that a rank sends, or receives, in a round
  std::optional<uint64_t> further_messages = 0;  ///< beyond the first of each round, if that is known
  bool meet_on_links = false;                    ///< two messages of a round go from one rank to one other
};

/// A family's member, or the one plan of a card, which has no name.
struct RoundsMember {
  std::function<RankRounds(const Problem&)> rounds;
  std::string name{};
  bool by_number = false;  ///< ranks as the problem numbers them, not from the root; and so they are placed
  uint64_t least_steps =
      1;  ///< however they are placed: one after another its messages pass something on so often
  bool are_few =
      false;  ///< so that where links are shared they are routed in a moment, if ranks have one place each
  /// What is known before they are made; of rounds in which a rank sends, or receives, more than one message it must be.
  std::function<std::optional<RoundsOutline>(const Problem&)> outline{};
};

/// Those members that can be placed: where transfers take no paths, those whose messages go to neighbours or can be passed on.
[[nodiscard]] Preparation prepare_rounds(const Problem& problem, std::vector<RoundsMember> members);

template <RankRounds (*kRounds)(const Problem&)>
[[nodiscard]] Preparation placed(const Problem& problem) {
  return prepare_rounds(problem, {{kRounds}});
}

/// Of hardly more messages than ranks.
template <RankRounds (*kRounds)(const Problem&)>
[[nodiscard]] Preparation placed_few(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = kRounds, .are_few = true}});
}

using LeastSteps = uint64_t (*)(const Problem&);
using KnownOutline = std::optional<RoundsOutline> (*)(const Problem&);

/// Of rounds that are known before they are made.
template <RankRounds (*kRounds)(const Problem&), KnownOutline kOutline>
[[nodiscard]] Preparation placed_outlined(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = kRounds, .outline = kOutline}});
}

/// Of many rounds, which nobody wants where messages are short: `kLeast(problem)` are steps that none does without.
template <RankRounds (*kRounds)(const Problem&), LeastSteps kLeast, KnownOutline kOutline = nullptr>
[[nodiscard]] Preparation placed_long(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = kRounds, .least_steps = kLeast(problem), .outline = kOutline}});
}

}  // namespace quadrille
