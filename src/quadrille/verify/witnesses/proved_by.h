// What a witness proves of a problem: the steps that no plan can do without.
//
// Whoever states a lower bound may say what it rests on (schedule/bound_witness.h). Here that is added up from
// the problem's own data, block by block and link by link, and nothing is taken from the bounds of the house:
// a witness is as good as what it proves here, whoever found it and however.
//
// By packets: a transfer carries one block over one link, so whatever must be carried takes so many transfers.
// Worms carry any number of blocks; of these witnesses only InformedWitness says something about their steps.
#pragma once

#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Steps that every plan for the problem takes at least; 0 for a witness that proves nothing. The witness must
/// have no mistake on the topology (find_mistake()).
[[nodiscard]] Rational proved_by(const Problem& problem, const BoundWitness& witness);

}  // namespace quadrille
