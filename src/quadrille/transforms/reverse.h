// Reverse: a plan read backwards, over the arcs turned round.
//
// Scatter read backwards is gather, and the other way round; alltoall is alltoall with the two ends of every
// block exchanged. A copy read backwards is a contribution: broadcast becomes reduce, allgather becomes
// reduce_scatter. Send and receive ports change places.
//
//     const Problem scatter = reversed(gather);          // plan this one
//     const Plan plan = reverse(scatter, scatter_plan);  // and read it backwards
//
// Where links are alike in both directions the topology stays what it is; a directed one is transposed
// (topology/transposed.h).
//
// Where pieces are to come in order they change their numbers, too: the last one is then the first.
//
// That an operator does not commute is forgotten: whether a plan read backwards is for it is another question
// (transforms/sums_in_order.h).
//
// Refused: an allreduce, and a reduction with copies in it.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The problem that a reversed plan solves: reversed(reversed(p)) is p. Throws InputError for an allreduce,
/// which is not the reverse of any standard collective.
[[nodiscard]] Problem reversed(const Problem& problem);

/// The plan for reversed(problem). Throws InputError for a reduction with copies.
[[nodiscard]] Plan reverse(const Problem& problem, const Plan& plan);
/// The same, step by step.
void reverse(const Problem& problem, const Plan& plan, StepSink& to);

}  // namespace quadrille
