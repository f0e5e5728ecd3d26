// Whether lemmas refute that a one-port broadcast is possible in so many steps.
//
// The formula is made here from the rules of the game alone: everybody is informed in the end, each over one
// link, by a node that was informed before, and nobody informs two in one step. Every lemma must follow from
// it and those before by unit propagation. Nothing is taken from search/, which finds refutations.
#pragma once

#include "quadrille/schedule/bound_witness.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

[[nodiscard]] bool refutes_broadcast(const Topology& topology, NodeId root,
                                     const RefutationWitness& refutation);

}  // namespace quadrille
