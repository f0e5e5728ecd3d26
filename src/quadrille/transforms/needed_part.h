// Needed part: what of a plan for a harder collective an easier one needs.
//
//     alltoall   holds a scatter, a gather (the blocks of the root) and an allgather (what comes first of a rank)
//     allgather  holds a broadcast (the block of the root) and a gather (the ways that lead to the root)
//     allreduce  holds a reduce: what the root's sum is made of
//
// Transfers of which nothing is left are dropped, and steps of which nothing is left. No transfer is later than
// it was; what is left may have room to move up (compact_steps.h).
#pragma once

#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether plans for one collective hold plans for the other.
[[nodiscard]] bool holds(CollectiveKind whole, CollectiveKind part);

/// The part of a good plan for `whole` that solves `part`, on the same graph and machine, in the same pieces.
/// Of sums that lie apart in slots the ways to the root, on which all is added up. Throws InputError where the one does
/// not hold the other.
[[nodiscard]] std::optional<Plan> needed_part(const Problem& whole, const Plan& plan, const Problem& part);

}  // namespace quadrille
