// StepGate: one rank's part in a stated synchronisation, for who decides what to do as it goes and has no
// program that could carry it.
//
//     StepGate gate(events_by_rank(sync, topology, RanksAre::kNodes)[index(transport.rank())], transport);
//     for (uint32_t step = 0; step < steps; ++step) {
//       gate.enter(step);         // signals of the steps before are sent, barriers met, signals waited for
//       ... start this step's receives and sends, wait for them ...
//     }
//     gate.finish();
//
// All that a step starts must be through, and nothing of the next step started, when the gate is entered: the
// null messages have their places among the others.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/program/synchronisation_events.h"
#include "quadrille/runtime/transport.h"

namespace quadrille {

class StepGate {
 public:
  /// The events of this rank. The transport must outlive the gate.
  StepGate(std::vector<SynchronisationEvent> events, Transport& transport)
      : events_(std::move(events)), transport_(transport) {}

  /// By rising steps; steps in which a rank has nothing to do may be left out.
  void enter(uint32_t step);
  /// After the last step: whatever is left, and until all null messages are taken.
  void finish();

  /// Sent so far.
  [[nodiscard]] uint64_t null_messages() const { return told_.size(); }

 private:
  void take(const SynchronisationEvent& event);

  std::vector<SynchronisationEvent> events_;
  Transport& transport_;
  size_t next_ = 0;
  std::vector<Request> heard_;
  std::vector<Request> told_;
};

}  // namespace quadrille
