// Relayed rounds: what a total exchange in few start-ups must send through ports, because blocks then go by others.
//
// Whoever sends at most k messages in a step reaches in S steps, over h hops, at most C(S,h) k^h others: a way is told by the steps
// in which it is gone and by which message in each. (So for every piece of a block, on its own ways.) What a node has for N-1
// others takes no fewer hops than if the nearest of these places were all taken; by packets no fewer than the distances either. All
// hops together, over what all ports and links carry in a round, are rounds:
//
//     one port, 64 nodes:   6 start-ups, 192 rounds; 8, 145; 14, 112; 63, 63
//
// Bruck, Ho, Kipnis, Upfal and Weathersby (1997) show the ends of this for complete networks; between them it is ours.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// In messages, in `from` start-ups, one more, and so on, until no more than `least`, which is known otherwise, is needed, or so many
/// steps are looked at. Nothing where that says no more than `least`.
[[nodiscard]] std::vector<double> relayed_rounds(const Problem& problem, uint64_t from, double least);

}  // namespace quadrille
