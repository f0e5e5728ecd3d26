// Synchronisation: how a schedule keeps its steps apart on a machine without a common clock.
//
// There a node starts the sends of its next step as soon as its own sends and receives are over, whatever the
// others do. What conflicts in a schedule, two transfers of different steps that use one link, or that end in
// one node with too few receive ports, may then meet. Three things keep them apart:
//
//   barriers     all nodes wait for all others between two steps. Some boundaries need none, because every
//                conflict across them is already in order: the later sender has its work only when the
//                earlier transfer is over. The fewest boundaries that are enough are found exactly.
//   signals      local instead of global: one node, when its step is over, tells another one, which waits for
//                that before a later step. The set is transitively reduced: none follows from the others and
//                from what nodes do by themselves.
//   priorities   messages of earlier steps push aside those of later ones (schedule/plan_synchronisation.h):
//                the fewest levels are found, and a level for every message.
//
//     const Synchronisation sync = synchronise(schedule, {});
//     for (const Signal& s : sync.signals) ..   // s.from after s.after_step -> s.to before s.before_step
//
// It is assumed that a transfer can start without its receiver: messages wait there in a buffer, or receives
// are posted early. Steps are 0-based. check_synchronisation.h is the judge of what is found here.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

struct SynchroniseOptions {
  /// Whether a busy receive port is a conflict, where the model limits receive ports. Without, only links
  /// are: for machines that take any number of messages in.
  bool ports = true;
};

struct Synchronisation {
  /// Pairs of transfers of different steps that follow each other on a link or at a port.
  uint64_t conflicts = 0;
  /// Those of them that nothing keeps in order but what is below.
  uint64_t unordered = 0;
  /// A barrier after each of these steps, ascending.
  std::vector<uint32_t> barriers;
  /// Or these signals, by step, sender and receiver.
  std::vector<Signal> signals;
  /// Or so many priorities, 1 where one is enough,
  uint32_t priority_levels = 1;
  /// these: one for all of a step, and one for each message that has another. None where one is enough.
  std::vector<Priority> priorities;
};

/// Throws InputError for a schedule with too many nodes and steps: what precedes what is kept for all pairs.
[[nodiscard]] Synchronisation synchronise(const Schedule& schedule, const SynchroniseOptions& options);

/// What a plan file is to state of it: the barriers, or the signals or priorities instead.
enum class StateAs : uint8_t { kBarriers, kSignals, kPriorities };
[[nodiscard]] PlanSynchronisation stated(const Synchronisation& sync, const SynchroniseOptions& options,
                                         StateAs as);

/// Messages that carry nothing: one a signal, and for a barrier among so many nodes without hardware for it,
/// those of its ceil(lg n) rounds, in which everybody tells one other that it is there.
[[nodiscard]] uint64_t null_messages_of_barrier(uint32_t nodes);
[[nodiscard]] uint64_t null_messages(const PlanSynchronisation& sync, uint32_t nodes);

}  // namespace quadrille
