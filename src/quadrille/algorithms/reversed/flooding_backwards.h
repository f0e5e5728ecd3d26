// Flooding, read backwards: what a reduction by flooding sends.
//
// An allgather by flooding brings every block to every endpoint once; backwards, every endpoint adds its
// contribution once. Copies that ended at a router nobody needed them from have nothing to bring back and are
// left out.
#pragma once

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/plan.h"

namespace quadrille {

/// Whether the two plans, which are stored, are small enough.
[[nodiscard]] Applicability can_store_flooding(const Problem& problem);

/// The reduce_scatter with that problem's topology and model, from the allgather of the card.
[[nodiscard]] Plan flooding_backwards(const Algorithm& flooding, const Problem& reduce_scatter);

}  // namespace quadrille
