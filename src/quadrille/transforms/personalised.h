// Personalised: along the ways of a plan that copies, a plan in which everybody gets something of his own.
//
// The copies of a block go down a tree. Where messages may carry any number of blocks, the transfer that brings
// the copy to a node brings what is meant for all endpoints of its subtree: a broadcast becomes a scatter, an
// allgather an alltoall, in as many steps.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan for `personal`, a scatter or an alltoall, from a good one for `copied`, a broadcast or an allgather
/// on the same graph and machine, in the same pieces.
[[nodiscard]] Plan personalised(const Problem& copied, const Plan& plan, const Problem& personal);

}  // namespace quadrille
