// Every order in which the transfers of a small schedule can start and end on a machine without a common
// clock: slow, obvious, and a second opinion on check_synchronisation().
//
// Of two that meet, the one of the later step may be pushed aside by its priority. That it then ends after
// the other one excludes no state that matters: what is over and what is under way can always have come about
// by starting late what is still under way.
//
//     const InterleavingsVerdict all = play_interleavings(schedule, stated, 1 << 18);
//     all.complete && all.safe   // never are two transfers under way together that must be kept apart
#pragma once

#include <cstdint>

#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

struct InterleavingsVerdict {
  bool complete = false;  ///< every state was seen, or one that is not safe
  bool safe = false;
  uint64_t states = 0;
};

/// Gives up (not complete) where there are more than 32 transfers, or more states than `most_states`.
[[nodiscard]] InterleavingsVerdict play_interleavings(const Schedule& schedule,
                                                      const PlanSynchronisation& stated,
                                                      uint64_t most_states);

}  // namespace quadrille
