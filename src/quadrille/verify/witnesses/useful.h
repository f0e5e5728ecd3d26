// Useful transfers: those that bring a block to a node for the first time, against what nodes can make of them in so many steps.
//
// In a broadcast or an allgather every block comes to all other endpoints, and to every node without which one of these could not
// be reached: who alone leads to it, or alone follows its origin. A node brings a block at most once to each of its neighbours, and
// not to whom it has it from, if that is a neighbour it could bring it to. It begins when something can have reached it: over so many
// hops from an origin, and after as many steps as it takes until so many nodes are reached. A reduction is the same backwards.
#pragma once

#include <cstdint>

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// For single packets: one step more than the witness names, if these are too few, else 0.
[[nodiscard]] uint64_t proved_by_useful_sends(const Problem& problem, const SendsWitness& sends);

}  // namespace quadrille
