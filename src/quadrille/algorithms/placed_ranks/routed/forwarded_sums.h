// Forwarded sums: partial sums that ranks exchange with ranks that are no neighbours, where packets take one link a step.
//
// Those on the way keep what they pass on apart from their own sum (waiting_slots.h), and what arrives at a rank before it has sent what
// it had waits. Complete sums are copied: who is on the way keeps them, and nobody is sent one twice. A rank that is left with something
// of others in a slot is sent the complete sum once more at the end, by the nearest that has it; where nobody else has it, a
// neighbour gets it and sends it back.
//
//     ForwardedSums sums(problem, needs);
//     sums.send(path, blocks, op, slots);   // of a round, all of which reads what was there before it
//     sums.end_round();
//     sums.push(plan);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "quadrille/algorithms/placed_ranks/routed/sum_rounds.h"
#include "quadrille/algorithms/placed_ranks/routed/waiting_slots.h"
#include "quadrille/base/ids.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {

class ForwardedSums {
 public:
  /// Whether there are slots enough to pass anything on.
  [[nodiscard]] static bool has_room(const SumRounds& needs) {
    return needs.waiting + kFewestTransits < SumSlots::kCount;
  }
  /// Nodes times blocks, at most.
  static constexpr uint64_t kMostEntries = uint64_t{1} << 22U;

  ForwardedSums(const Problem& problem, const SumRounds& needs);

  /// From one rank to another, over arcs as they are. `slots` are those that the algorithm names.
  void send(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op, SumSlots slots);
  void end_round();

  /// All steps. The last call.
  void push(StepSink& sink);

 private:
  static constexpr uint32_t kFewestTransits = 4;
  static constexpr uint32_t kNotThere = UINT32_MAX;
  static constexpr uint32_t kNone = UINT32_MAX;

  // Of a block at a node, in steps.
  struct Times {
    uint32_t ready = 0;             // all that rounds before this one bring is there
    uint32_t arrived = 0;           // after all that has come so far
    uint32_t left = 0;              // the last that was sent of it
    uint32_t open = 0;              // after what replaced it
    uint32_t complete = kNotThere;  // from when the complete sum is there
    uint32_t last_transit = kNone;  // a list of those that pass by
  };
  struct Hop {
    uint32_t step;
    ArcId arc;
    uint32_t first;
    uint32_t end;
  };
  struct Ready {
    size_t place;
    uint32_t step;
  };
  template <typename Event>
  struct At {
    size_t place;
    Event event;
  };
  struct Transit {
    size_t place;
    WaitingSlots::Transit event;
    uint32_t before;
  };

  [[nodiscard]] size_t place(NodeId node, BlockId block) const {
    return index(node) * blocks_ + index(block);
  }
  void send_sum(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op, SumSlots slots);
  void find_times(std::span<const ArcId> path, std::span<const BlockId> blocks, bool replaces);
  [[nodiscard]] bool has_slots(std::span<const ArcId> path, std::span<const BlockId> blocks) const;
  void copy(std::span<const ArcId> path, std::span<const BlockId> blocks);
  uint32_t hop(ArcId arc, std::span<const BlockId> blocks, size_t step);
  // A copy of complete sums over one arc; returns when.
  uint32_t hand_over(ArcId arc, std::span<const BlockId> blocks);

  void choose_slots();
  void clean(NodeId node, BlockId block);
  // The arcs from the nearest node that has the block complete, but for this one unless nobody else has.
  [[nodiscard]] std::vector<ArcId> from_nearest(NodeId node, BlockId block);
  [[nodiscard]] bool can_clean(NodeId node, NodeId other) const;

  const Topology topology_;
  const Collective collective_;
  bool carries_many_;
  bool is_ordered_;
  size_t blocks_;
  std::vector<uint32_t> sums_until_;
  uint32_t most_transits_;
  StepReservations machine_;
  std::vector<Times> times_;
  std::vector<Ready> ready_;
  uint32_t round_ = 0;
  uint32_t turn_ = 0;       // of what this round reads; what it brings has the next one
  uint32_t next_turn_ = 2;  // of complete sums that are copied
  std::vector<Hop> hops_;
  std::vector<BlockId> carried_;
  std::vector<HopSlots> chosen_;  // by place in carried_
  std::vector<At<WaitingSlots::Read>> reads_;
  std::vector<At<WaitingSlots::Arrival>> arrivals_;
  std::vector<Transit> transits_;
  std::unordered_map<size_t, uint32_t> slots_of_;    // at the end, where these are not slot 0 alone
  std::unordered_map<size_t, uint32_t> cleaned_at_;  // by place, once slots are chosen
  std::vector<size_t> unclean_;
  std::vector<std::vector<ArcId>> arcs_into_;  // once something is unclean
  std::vector<uint32_t> at_;                   // scratch: the step of each hop
  std::vector<BlockId> sums_, complete_;
  uint32_t steps_ = 0;
};

}  // namespace quadrille
