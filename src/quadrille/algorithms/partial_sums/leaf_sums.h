// Leaf sums: an allreduce where endpoints hang on one link each, as hosts on switches do.
//
// They hand their contributions to the node that they hang on, the network without them does an allreduce of what it was given,
// and they get the whole. So a network of hosts and switches is planned as one of switches.
#pragma once

#include <functional>
#include <optional>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// With what `core` answers for the network without leaves, told how many steps they take; nothing where there are none, or
/// nothing else. The graph must not be directed.
[[nodiscard]] std::optional<SumPlan> leaf_sums(const Problem& problem,
                                               const std::function<SumPlan(const Problem&, uint32_t)>& core);

}  // namespace quadrille
