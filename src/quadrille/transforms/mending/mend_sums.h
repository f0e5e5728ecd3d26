// Mend sums: an allreduce that outlives a fault. Of each block that is hit the sum comes together at the node where it did, by the same
// step, and goes out from there again: the way together is mended backwards, so that new steps come first, the way out forwards, so that
// they come last. A block whose sums come together otherwise (at two nodes that exchange them) goes up and down a tree.
#pragma once

#include "quadrille/schedule/delta/plan_delta.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/topology/faults/faults.h"

namespace quadrille {

/// `plan` is one that the judge passes.
void mend_sums(const Problem& problem, const Plan& plan, const Faults& faults, PlanDelta& delta);

}  // namespace quadrille
