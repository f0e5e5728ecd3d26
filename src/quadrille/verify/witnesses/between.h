// What endpoints must send and receive among each other, and how far it is, in steps.
//
// The first send of a block is at least as many steps before its last reception as there are hops between its endpoints,
// less one. A node that sends m blocks, c a step, does so in steps that add up to ceil(1/c) + .. + ceil(m/c) or more; what it
// receives comes in steps that add up to as much or more, counted back from the last one. All of that together fits into T
// steps only if T is large enough.
#pragma once

#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// For single packets that move.
[[nodiscard]] Rational proved_between(const Problem& problem, const BetweenWitness& among);

}  // namespace quadrille
