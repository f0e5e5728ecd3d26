// Worms with room: the steps of packets' messages as steps of worms, of which each has its link for itself. What goes over a link
// beyond its lanes is one message with what is there, if need be in slots of other names. Sums that go both up and down over a link in a
// step are two: such a plan is none of worms.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/compile/lending/slot_names.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class WormsWithRoom final : public StepSink {
 public:
  /// Steps go to `to`, which lives as long as this, and so does the problem.
  WormsWithRoom(const Problem& problem, StepSink& to);

  /// Each over one link. Throws InputError where a link has more kinds of messages than lanes.
  void push(const StepView& given) override;

 private:
  void push_merged(const StepView& step);

  const Problem& problem_;
  StepSink& to_;
  SlotNames names_;
  std::vector<uint32_t> used_;  // per arc, in the step
};

}  // namespace quadrille
