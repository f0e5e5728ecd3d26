// Plans for full-duplex links, made half duplex (transforms/half_duplex.h): what cards that use both
// directions of a link have for a half-duplex problem, too. A factor of two at most separates the two models,
// so nothing that is good at full duplex is lost.
//
// In names it is a member of the card: "alltoall_product_rounds:half_duplex"; of a family's member
// "alltoall_wormhole_rings:tree/half_duplex".
#pragma once

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Whether plans for full-duplex links serve the problem once they are parted: its links are half duplex, and
/// it does not limit queues, which grow by it, nor ask for order, which parting may upset.
[[nodiscard]] bool takes_full_duplex_plans(const Problem& problem);

/// The plan, of with_full_duplex(half), for `half`. Where it is stored it is made, parted, compacted and kept
/// as soon as its prediction is asked for, and that is measured. Where it would be too large every step
/// becomes two as it streams by, and only twice the steps are predicted. It predicts nothing, and refuses to
/// generate, where the transform refuses.
[[nodiscard]] PreparedPlan made_half_duplex(const Problem& half, const PreparedPlan& full);

}  // namespace quadrille
