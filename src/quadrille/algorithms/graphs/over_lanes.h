// Over lanes: what crosses one link in a step.
//
// Packets go as one message and share the lanes of the link. A worm takes one lane, however many blocks it has: so blocks are
// dealt out to as many worms as there are lanes, and the step takes as many rounds either way.
#pragma once

#include <span>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Adds them to the step; there is at least one block, and nobody else sends over the link in this step.
void add_over_lanes(const Problem& problem, ArcId arc, std::span<const BlockId> blocks, StepBuilder& step);

}  // namespace quadrille
