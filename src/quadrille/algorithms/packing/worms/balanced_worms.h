// Balanced worms: a path for every block, so that the busiest link has as little to do as can be found
// (packing/priced/priced_paths.h); then whole paths are packed into steps (packing/worms/worm_packing.h), where a worm may as well go a
// shortest way.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// For alltoall, whose worms carry all pieces of a block, and alltoallv, which has a worm for each block.
void balanced_worms(const Problem& problem, StepSink& sink);
/// The same where so many may share each lane of a link in a step.
void balanced_worms_sharing(const Problem& problem, uint32_t sharing, StepSink& sink);

}  // namespace quadrille
