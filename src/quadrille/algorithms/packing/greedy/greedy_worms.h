// Greedy worms: one worm from each origin to each destination, packed into steps of disjoint paths
// (packing/worms/worm_packing.h).
//
// Any graph, ports, capacities and half duplex; paths are shortest, or in dimension order where the model
// asks for it.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// For alltoall and alltoallv. A worm carries all pieces, or all blocks, of its pair.
void greedy_worms(const Problem& problem, StepSink& sink);

}  // namespace quadrille
