// Reverse: a plan read backwards, over the arcs back.
//
// Scatter read backwards is gather, and the other way round; alltoall is alltoall with the two ends of every
// block exchanged. A copy read backwards is a contribution: broadcast becomes reduce, allgather becomes
// reduce_scatter. Send and receive ports change places.
//
//     const Problem scatter = reversed(gather);          // plan this one
//     const Plan plan = reverse(scatter, scatter_plan);  // and read it backwards
//
// Refused: a link that is used and has no way back, an allreduce, and a reduction with copies in it.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem that a reversed plan solves: reversed(reversed(p)) is p. Throws InputError for an allreduce,
/// which is not the reverse of any standard collective.
[[nodiscard]] Problem reversed(const Problem& problem);

/// The plan for reversed(problem). Throws InputError when an arc of the plan has no reverse.
[[nodiscard]] Plan reverse(const Problem& problem, const Plan& plan);

}  // namespace quadrille
