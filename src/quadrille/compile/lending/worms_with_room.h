// Worms with room: the steps of packets' messages as steps of worms, of which each has its links for itself. Sums that go both up and
// down over a link in a step are two messages: such a plan is none of worms.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class WormsWithRoom final : public StepSink {
 public:
  /// Steps go to `to`, which lives as long as this, and so does the problem.
  WormsWithRoom(const Problem& problem, StepSink& to);

  /// Throws InputError where a link has more messages than lanes.
  void push(const StepView& step) override;

 private:
  const Problem& problem_;
  StepSink& to_;
  std::vector<uint32_t> used_;  // per arc, in the step
};

}  // namespace quadrille
