// Deciding as it is: the best algorithm for a problem in the pieces, and with the packets, that it has.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/compile/compile.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The algorithm that is wished for, or the one of fewest steps (in a total exchange of worms: of least time).
/// `asks_lenders`: false of whoever asks them otherwise.
[[nodiscard]] Decision decide_as_it_is(const Problem& problem, const Wishes& wishes,
                                       bool asks_lenders = true);

/// What compile() has to know of a choice. `bounds`: all of the problem; `made`: the plan, if it had to be made for the choice.
[[nodiscard]] Decision decision_for(const Problem& problem, const std::shared_ptr<const Choice>& choice,
                                    std::vector<Bound> bounds,
                                    std::shared_ptr<const LaidOutPlan> made = nullptr);

/// The same for a choice of whatever problem its plan is for, with all of its bounds.
[[nodiscard]] Decision decision_of(Choice choice);

}  // namespace quadrille
