#include "quadrille/runtime/step_gate.h"

#include <array>

#include "quadrille/base/check.h"

namespace quadrille {

void StepGate::enter(uint32_t step) {
  while (next_ < events_.size() && events_[next_].before_step <= step) take(events_[next_++]);
}

void StepGate::finish() {
  while (next_ < events_.size()) take(events_[next_++]);
  transport_.wait(told_);
}

void StepGate::take(const SynchronisationEvent& event) {
  switch (event.kind) {
    case EventKind::kListen:
      QUADRILLE_CHECK(event.message == heard_.size(), "signals are heard in the order of their numbers");
      heard_.push_back(transport_.start_receive(event.peer, {}));
      return;
    case EventKind::kTell:
      told_.push_back(transport_.start_send(event.peer, {}));
      return;
    case EventKind::kMeet:
      transport_.barrier();
      return;
    case EventKind::kAwait:
      transport_.wait(std::array{heard_[event.message]});
      return;
  }
}

}  // namespace quadrille
