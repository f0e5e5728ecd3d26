// Greedy worms: one worm from each origin to each destination, packed into steps of disjoint paths.
//
// In every step the sources take turns, each offering its remaining worms, longest path first, until its
// ports are used up; a worm goes if no arc of its path is full. Each step is maximal: no worm that stayed
// behind would still fit. Any graph, ports, capacities and half duplex; paths are shortest, or in dimension
// order where the model asks for it.
#pragma once

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// For alltoall. A worm carries all pieces of its pair.
void greedy_worms(const Problem& problem, StepSink& sink);

}  // namespace quadrille
