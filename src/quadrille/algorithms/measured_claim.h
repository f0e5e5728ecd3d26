// The claim of a card whose figures are only known once the plan exists: the plan is made and measured.
//
// That is the work of a plan, so such a card sets claimed_by_work, and beyond some size it claims nothing.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

/// Ranks up to which a greedy plan takes a moment.
inline constexpr uint32_t kMostMeasuredWorms = 128;
inline constexpr uint32_t kMostMeasuredPackets = 1024;

/// Steps, start-ups and critical blocks of what `generate` makes; nothing for a problem of more ranks, or,
/// where blocks come in pieces, of more pieces between all pairs than that many ranks have.
[[nodiscard]] Claim measured_claim(const Problem& problem, void (*generate)(const Problem&, StepSink&),
                                   uint32_t most_ranks);

}  // namespace quadrille
