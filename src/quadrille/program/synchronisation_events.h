// What each rank does for a synchronisation that is stated, in order: with whom it talks between two steps.
//
// A signal is a null message. Its sender sends it when it is through with a step, and waits for it to be
// taken only in the end; its receiver starts to receive it between the same two steps, whatever it does next,
// and waits for it before the step that must wait. So both ends have it at the same place among all that the
// one sends the other: there are no tags, and the i-th send belongs to the i-th receive. At a barrier all
// meet.
//
//     for (const SynchronisationEvent& e : events_by_rank(sync, topology, RanksAre::kEndpoints)[r]) ...
//
// Programs carry the events among their actions (obey_synchronisation.h); who makes up what it does as it
// goes asks a StepGate (runtime/step_gate.h).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

enum class EventKind : uint8_t {
  kListen,  ///< starts to receive a null message
  kTell,    ///< sends one
  kMeet,    ///< a barrier
  kAwait,   ///< waits until what it has listened for is there
};

struct SynchronisationEvent {
  uint32_t before_step = 0;  ///< after all of the steps before that one
  EventKind kind = EventKind::kMeet;
  Rank peer{0};
  uint32_t message = 0;  ///< of kListen and kAwait: which one, from 0

  friend bool operator==(const SynchronisationEvent&, const SynchronisationEvent&) = default;
};

/// Whose programs are run.
enum class RanksAre : uint8_t {
  kEndpoints,  ///< the ranks of the collective; routers do nothing of their own
  kNodes,      ///< all nodes by their numbers, routers among them
};

/// The events of every rank, in the order in which it has them. Priorities make none: they are the network's.
/// Throws InputError for a signal from or to a router where routers run nothing.
[[nodiscard]] std::vector<std::vector<SynchronisationEvent>> events_by_rank(const PlanSynchronisation& sync,
                                                                            const Topology& topology,
                                                                            RanksAre ranks);

}  // namespace quadrille
