// A ScheduleBuilder keeps the very steps that it judges: nobody derives one that keeps others.
// expected: cannot derive from 'final' base
// expected: is marked 'final'
#include "quadrille/verify/verify.h"

namespace quadrille {
class Forger : public ScheduleBuilder {
 public:
  using ScheduleBuilder::ScheduleBuilder;
  void push(const StepView&) override { ScheduleBuilder::push({}); }
};
}  // namespace quadrille
