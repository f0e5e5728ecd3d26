// Packed messages: what a rank moves in its memory so that each message lies in one piece, for plans of any kind.
//
// ArrayLayout says it of blocks that move one message at a time, and where they lie. Here all nodes (switches, too, as they pass messages
// on) keep what they hold in a row: a message is a run of it, what arrives is put at one of its ends in the order in which it came, and
// what is added goes to where its blocks are. Before the first step, rows are as suits them. A message that is no run is packed, its
// blocks are moved; or else, before such a step, the whole row is put in another order. All nodes do the one, or all the other, whichever
// moves less.
//
//     total(packed_before(schedule));     // blocks, of the busiest node
#pragma once

#include <vector>

#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// What the node that moves most blocks moves before which steps. For the price of a plan: an upper bound, as orders are chosen greedily. Nothing
/// where each transfer carries a single block.
[[nodiscard]] std::vector<RearrangedBefore> packed_before(const Schedule& schedule);

}  // namespace quadrille
