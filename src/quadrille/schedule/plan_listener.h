// PlanListener: who takes the steps of a plan file while it is read, so that nobody need store them.
#pragma once

#include <cstddef>

#include "quadrille/schedule/plan_file.h"

namespace quadrille {

class PlanListener {
 public:
  virtual ~PlanListener() = default;

  /// At the first step, where all that judges need stands before it, with the head as it is known then. Steps go where it says, or, if
  /// that is nowhere (null), into the plan. In JSON more of the head may stand behind the steps: the file that is read in
  /// the end has it.
  virtual StepSink* steps_of(const PlanHead& head) = 0;
  /// What stands before `offset` in the text is looked at again for a mistake alone.
  virtual void passed(size_t offset) = 0;
};

}  // namespace quadrille
