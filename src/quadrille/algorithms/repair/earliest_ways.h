// Earliest ways: how a block gets to its destination over free slots, from the first step on, waiting wherever it likes.
//
//     EarliestWays ways(part, slots);
//     if (ways.find(from, to, hops, 2, before)) ways.take();   // at most two hops longer than the shortest, there before that step
//
// Nobody gains by arriving later at a node, so the earliest step after each number of hops is all that has to be known. Of the
// ways that are in time one with the fewest hops is found, and of these one that is there first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/repair/free_slots.h"
#include "quadrille/algorithms/repair/living_part.h"

namespace quadrille {

class EarliestWays {
 public:
  struct Hop {
    ArcId arc;
    uint32_t step;
  };

  EarliestWays(const LivingPart& part, const FreeSlots& slots);

  /// `hops` to `to` from everywhere (LivingDistances); the way has at most `longer_by` more than those from `from`, and its last
  /// step comes before `before`. Empty: there is none.
  [[nodiscard]] std::span<const Hop> find(NodeId from, NodeId to, std::span<const uint32_t> hops,
                                          uint32_t longer_by, uint32_t before);
  /// Arcs that all searches have looked at.
  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  struct Reached {
    NodeId node;
    uint32_t step;    // the first one that it can go on in
    uint32_t before;  // where it came from, among all that were reached
    Hop over;
  };

  const LivingPart& part_;
  const FreeSlots& slots_;
  std::vector<Reached> reached_;
  std::vector<uint32_t> place_;    // of a node among those that this hop has reached
  std::vector<uint32_t> soonest_;  // that a node was reached with fewer hops
  std::vector<Hop> way_;
  uint64_t work_ = 0;
};

}  // namespace quadrille
