// How fast worms can spread that correct their coordinates first to last.
//
// Cut the dimensions in two. Let A be the nodes that agree with one node in the first ones, of which a node has at most D
// links, and E in the others. A worm that leaves A starts on a link of the first dimensions. So where a nodes of A know and o
// others, a step later at most a + E a of A do, and o + (D + E) o + D a others: until these are all.
#pragma once

#include <cstdint>

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Steps; 0 where the sides are not those of the network, or a node may send or receive less than it has links.
[[nodiscard]] uint64_t ordered_worm_steps(const Problem& problem, const OrderWitness& order);

}  // namespace quadrille
