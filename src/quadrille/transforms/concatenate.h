// Concatenate: one plan after another.
//
// What the first leaves where, the second must find there. Parts of a plan make the whole; and some
// collectives make another one, when the second takes up the blocks that the first leaves:
//
//     reduce,         then broadcast    are an allreduce
//     reduce_scatter, then allgather    are an allreduce of as many pieces as there were blocks
//     reduce,         then scatter      of as many blocks as there were pieces are a reduce_scatter
//     scatter,        then allgather    are a broadcast of as many pieces as there were blocks
//     gather,         then broadcast    of as many pieces as there were blocks are an allgather
//
// After a reduction the second plan copies what is added up. In a broadcast or allgather nobody receives what
// it has: of the second plan's transfers those blocks are left out that have come before.
#pragma once

#include <cstddef>
#include <functional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The steps of the first plan and then those of the second. Both number their arcs and blocks alike.
[[nodiscard]] Plan concatenate(const Plan& first, const Plan& second);

/// What two plans, one after another, are a plan for. Throws InputError for problems that differ in graph,
/// model, root or pieces where these must agree, and for collectives that make no third one.
[[nodiscard]] Problem concatenated(const Problem& first, const Problem& second);
/// The plan for concatenated(first, second). Both plans must be good ones.
[[nodiscard]] Plan concatenate(const Problem& first, const Plan& first_plan, const Problem& second,
                               const Plan& second_plan);
/// The same step by step, without storing either: `generate(0, sink)` makes the first plan, then `generate(1, sink)` the second.
void concatenate(const Problem& first, const Problem& second,
                 const std::function<void(size_t, StepSink&)>& generate, StepSink& to);

}  // namespace quadrille
