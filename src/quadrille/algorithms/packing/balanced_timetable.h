// Balanced timetable: one made a step shorter by exchanges of slots (transforms/slots/slot_exchange.h), and again, as long as
// that is found; and what cards on balanced paths have in common.
#pragma once

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

/// A timetable of the same packets with at least `least` steps, and no more than `paths` has.
[[nodiscard]] TimedPaths with_slots_exchanged(const Problem& problem, TimedPaths paths, uint64_t least);

/// What exchanges on balanced paths have in common, however many blocks a pair has: paths by prices (priced_paths.h),
/// steps for their hops (path_schedule.h), and slots exchanged. Says beforehand how much memory that takes.
[[nodiscard]] Preparation on_balanced_paths(const Problem& problem);

}  // namespace quadrille
