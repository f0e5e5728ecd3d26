// Rounds in place: messages from rank to rank, where the ranks sit somewhere in a network, become steps: as they are where all
// partners are neighbours, over balanced ways where links are shared, packed where paths share nothing, and passed on where packets take
// one link a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/algorithms/graphs/shortest_paths.h"
#include "quadrille/algorithms/packing/worms/kept_packings.h"
#include "quadrille/algorithms/placed_ranks/rank_placements.h"
#include "quadrille/algorithms/placed_ranks/rank_rounds.h"
#include "quadrille/algorithms/placed_ranks/routed/sum_rounds.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Rounds among ranks that are somewhere.
class RoundsInPlace {
 public:
  RoundsInPlace(const Problem& problem, const RankRounds& rounds, const Placement& placement)
      : problem_(problem),
        rounds_(rounds),
        placement_(placement),
        names_ranks_(problem.collective().num_blocks() != problem.collective().pieces() &&
                     problem.collective().kind() != CollectiveKind::kAlltoall) {}

  /// Whether every message goes to a neighbour, and those of a round are in nobody's way.
  [[nodiscard]] bool are_free() const;

  /// A round is a step; of single packets as many as its longest message has blocks.
  void push_free(StepSink& sink);
  [[nodiscard]] size_t steps_of_free(size_t round) const;

  /// Asked after each round whether to go on: how many are left.
  using IsWanted = std::function<bool(size_t rounds_left)>;

  /// As many steps as the ports need; ways that share links evenly. Returns false where it was not to go on.
  bool push_shared(ShortestPaths& ways, StepSink& sink, const IsWanted& is_wanted);

  /// As many steps as paths need that share nothing.
  bool push_packed(KeptPackings& packings, StepSink& sink, const IsWanted& is_wanted);

  /// Whether packets can be passed on by those who are between partners: sums that go up a tree, and all that is no sum, without more
  /// (forwarded_packets.h), sums that are exchanged, or have an order, in slots (forwarded_sums.h); not pieces in order.
  [[nodiscard]] bool can_be_forwarded() const;
  /// Each packet as early as there is room for it.
  void push_forwarded(ShortestPaths& ways, StepSink& sink);

 private:
  // Whether sums go up a tree, or there are none.
  [[nodiscard]] bool are_trees() const;
  // What exchanged sums ask of those who pass them on; nothing where they cannot.
  [[nodiscard]] std::optional<SumRounds> exchanged_sums() const;
  void push_trees(ShortestPaths& ways, StepSink& sink);
  void push_exchanged(const SumRounds& needs, ShortestPaths& ways, StepSink& sink);

  [[nodiscard]] NodeId node(uint32_t rank) const { return problem_.topology().endpoint(placement_[rank]); }
  [[nodiscard]] Rank rank(uint32_t rank) const { return placement_[rank]; }
  // As the collective numbers them. Valid until the next call.
  [[nodiscard]] std::span<const BlockId> blocks(const RankRounds::Message& message);
  // A block of the rounds as the collective numbers it.
  [[nodiscard]] BlockId numbered(BlockId block) const;
  // Whether messages of the same sizes go between the same ranks, as in every round of a ring: where one was sent, the other is.
  static bool are_alike(std::span<const RankRounds::Message> a, std::span<const RankRounds::Message> b);

  // One message after another into the first step in which both its ends have a port left.
  [[nodiscard]] std::vector<size_t> steps_by_ports(std::span<const RankRounds::Message> round) const;

  // A way for every message: large ones first the one that burdens the busiest of its links least; then all again.
  [[nodiscard]] std::vector<uint32_t> balanced(ShortestPaths& ways,
                                               std::span<const RankRounds::Message> round) const;

  [[nodiscard]] std::shared_ptr<const PackedWorms> packed_round(
      KeptPackings& packings, std::span<const RankRounds::Message> round) const;

  static std::vector<size_t> steps_of(const PackedWorms& round);

  [[nodiscard]] bool is_ordered() const { return problem_.model().combining == Operator::kOrdered; }
  [[nodiscard]] bool adds(const RankRounds::Message& message) const {
    return problem_.collective().flow() == Flow::kCombine && message.op == TransferOp::kDefault;
  }

  // Messages that bring back in a later step what was added in an earlier one.
  [[nodiscard]] std::vector<bool> come_second(std::span<const RankRounds::Message> round,
                                              std::span<const size_t> step_of) const;

  const Problem& problem_;
  const RankRounds& rounds_;
  const Placement& placement_;
  bool names_ranks_;  // blocks of a total exchange name two: its ranks are where their numbers say
  std::vector<BlockId> blocks_;
};

}  // namespace quadrille
