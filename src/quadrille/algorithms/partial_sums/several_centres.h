// Several centres: an allreduce of one block with all ports over a few nodes, each of which adds up what is near it.
//
// About one centre it takes twice the radius. About several, of which each endpoint has one within r hops, all sums are together
// after r steps, and each goes to everybody: r steps and the way from the worst of the centres, if what comes over a link is dealt out so
// that nobody waits for it. In the last step neighbours say in one sum what they have and a node lacks.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan of fewest steps that is found, if they are fewer than `before`; `least`: no plan takes fewer.
[[nodiscard]] std::optional<Plan> sums_of_centres(const Problem& problem, uint32_t least, uint32_t before);

}  // namespace quadrille
