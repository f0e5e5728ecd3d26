// New sums: an allreduce of one block with all ports where every node says in each step whatever its neighbours have not heard.
//
// In a step a node takes from each of its neighbours, those with most news first, the sum of all parts that overlap with
// nothing that it has; and the whole sum once a neighbour has that. On trees, and on whatever is one but for small parts that hear of each
// other at once (cliques in a ring, switches in groups), that takes no more steps than the network is wide. Where ways of the same length
// meet again and again, as in random networks, parts overlap soon, and there is nothing more to say.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A plan of fewer steps than `before`; nothing where it comes to a halt, or would look at too much.
[[nodiscard]] std::optional<SumPlan> new_sums(const Topology& topology, uint32_t before);

}  // namespace quadrille
