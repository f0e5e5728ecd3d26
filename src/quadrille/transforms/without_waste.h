// Without waste: a plan that copies, without the copies that nobody needs.
//
// A router may receive a block again, and may receive what it never sends on. Read backwards that would count a
// contribution twice, or send what is not there. Every node keeps the first copy that it gets, and a copy is left
// out that no endpoint has its own from.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan, a good one for a broadcast or an allgather; unchanged where all nodes are endpoints. Steps of which
/// nothing is left stay, empty.
[[nodiscard]] Plan without_waste(const Problem& problem, Plan plan);

}  // namespace quadrille
