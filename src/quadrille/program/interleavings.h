// Every order in which the transfers of a small schedule can start and end on a machine without a common
// clock: slow, obvious, and a second opinion on check_synchronisation().
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
