// Sum trials: an allreduce of one block in so many steps, found by changing who sends to whom and looking at what comes of it.
//
// A plan is who sends over which arc in which step; what is in a message follows: of the parts that its sender has, all
// that overlap with nothing at the receiver. A trial exchanges one message, follows the parts from there on, and is kept where
// no fewer ranks are heard of in the end than some trials ago (late acceptance: Burke and Bykov 2017). It takes
// a microsecond or two on 16 nodes, where a formula (sum_search.h) takes a second for what it cannot decide; it refutes nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A plan of so many steps, of full or half duplex; nothing where none was found in so many trials, or on more than 64 ranks.
[[nodiscard]] std::optional<SumPlan> try_sums(const Problem& problem, uint32_t steps, uint32_t trials);

}  // namespace quadrille
