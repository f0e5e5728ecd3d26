// Half duplex: a plan for links that carry both directions at once, on links that carry one at a time.
//
// Every step becomes two: whoever would meet another on a link waits for the second one. A step in which no
// link is used in both directions stays one. So a packet plan takes at most twice its steps (dissertation,
// section 2.4); worms take more than two only where three of them meet each other on different links (and
// still the best plan takes at most twice: what a step of a broadcast by worms carries is a flow from those who
// know, what flows both ways over a link cancels, so a broadcast takes no more steps in half duplex, nor does
// gathering, and both one after the other do whatever else there is to do). Then
// every transfer moves to the earliest step that has room for it (compact_steps.h), which never costs a step.
//
//     const Problem half = with_half_duplex(full);
//     const std::optional<Plan> plan = on_half_duplex_links(half, full_plan);
//
// Two nodes that exchange their contributions to a block cannot do so one after the other: the second sends
// what it has just received, too. It sends the sum instead, as a copy that replaces.
//
// Refused: a path that uses a link in both directions, and contributions that go round three nodes or more in
// one step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem on the same links at full duplex, and at half.
[[nodiscard]] Problem with_full_duplex(const Problem& problem);
[[nodiscard]] Problem with_half_duplex(const Problem& problem);

/// The plan, which solves with_full_duplex(half), as one for `half`; nothing where that is refused.
[[nodiscard]] std::optional<Plan> on_half_duplex_links(const Problem& half, const Plan& full);

/// The same without storing anything: every step becomes two, even where the second one stays empty. For
/// packets that are not combined, which can always be parted.
class OneWayAtATime final : public StepSink {
 public:
  OneWayAtATime(const Topology& topology, StepSink& sink)
      : topology_(topology), sink_(sink), used_(topology.num_arcs(), 0) {}

  void push(const StepView& step) override;

 private:
  const Topology& topology_;
  StepSink& sink_;
  std::vector<char> used_;  // per arc: whether the first of the two steps uses it
  StepBuilder first_;
  StepBuilder second_;
};

}  // namespace quadrille
