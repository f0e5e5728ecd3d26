// Idle filling: detours get slots among those that a plan leaves idle, and behind it.
//
// Step by step, every idle lane of an arc takes, of the blocks that wait for the arc, the one with the longest way to go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/algorithms/repair/detours.h"
#include "quadrille/algorithms/repair/hit_blocks.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

/// Of every block the slots of its path. `from_step` 0 uses all idle slots; the plan's number of steps only those behind it.
[[nodiscard]] TimedPaths fill_idle(const Problem& whole, const IdleSlots& idle,
                                   std::span<const BlockId> moved, const Detours& detours,
                                   uint64_t from_step);

}  // namespace quadrille
