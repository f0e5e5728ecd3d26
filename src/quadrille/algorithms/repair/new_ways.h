// New ways: paths and steps for the blocks that a fault has hit, in slots that nobody uses.
//
// One block after another takes the way that is there first. What slots are free is an accident of where the fault lay and of what
// went away with it, so path and steps are chosen together: a path that was chosen by loads alone finds most of the free slots of its
// arcs at the wrong times. Then those that come last give up their slots, and must be there sooner, on longer ways if need be.
#pragma once

#include <span>

#include "quadrille/algorithms/repair/hit_blocks.h"
#include "quadrille/algorithms/repair/living_part.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

/// Of every block the slots of its way; in no fewer steps than the plan has. `moved` is sorted by destination.
[[nodiscard]] TimedPaths find_new_ways(const LivingPart& part, const IdleSlots& idle,
                                       std::span<const BlockId> moved);

}  // namespace quadrille
