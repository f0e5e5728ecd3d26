// Slot exchange: a timetable of packets, made a step shorter, and again, as long as that is found.
//
// In one step less some packets have no place. They are given the cheapest way through space and time, even
// where others are; these make room in turn. A slot (a link or port in a step) that was wanted by too many has a
// price that rises and stays, so that whoever has another way takes it in the end: negotiated congestion
// (McMurchie and Ebeling 1995, who route wires), over the network unrolled in time. Deterministic; it gives up after
// so much work.
#pragma once

#include "quadrille/algorithms/packing/timed/timed_paths.h"
#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A timetable of the same packets with at least `least` steps, and no more than `paths` has.
[[nodiscard]] TimedPaths with_slots_exchanged(const Problem& problem, TimedPaths paths, uint64_t least);

/// What exchanges on balanced paths have in common, however many blocks a pair has: paths by prices (priced_paths.h),
/// steps for their hops (path_schedule.h), and slots exchanged. Says beforehand how much memory that takes.
[[nodiscard]] Preparation on_balanced_paths(const Problem& problem);

}  // namespace quadrille
