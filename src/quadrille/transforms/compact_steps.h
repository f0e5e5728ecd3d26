// Compact steps: every transfer as early as the rules allow, in the order of the plan.
//
// One transfer after another is put into the first step in which its ports and links are still free and which
// comes after every transfer that it needs: those that brought one of its blocks to its sender. At the
// receiver it keeps its place too: not before a transfer that read the block there, and after one that wrote
// it. A step in which nodes exchange their contributions to a block stays together. Steps in which nothing is
// left are dropped.
//
// Where transfers may share arcs, no step is ever full, and fewer steps would cost rounds: there only empty
// steps are dropped.
//
// A plan that the judge passes is still one that it passes, never longer, and every transfer is in its old
// step or an earlier one. It is a greedy pass, not a search: a second pass may find more, and an optimum is
// not promised. Not for plans that are wrong: what a plan lacks is not repaired.
#pragma once

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

[[nodiscard]] Plan compact_steps(const Problem& problem, const Plan& plan);

}  // namespace quadrille
