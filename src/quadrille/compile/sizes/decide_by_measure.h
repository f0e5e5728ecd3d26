// Decided by measure: where more than start-ups and bytes costs (hops, further messages, what is rearranged), which no figures tell before
// there is a plan.
#pragma once

#include <functional>
#include <optional>

#include "quadrille/compile/compile.h"

namespace quadrille {

/// Whether more costs, and plans of the network are made and measured in a moment: it has at most 128 nodes.
[[nodiscard]] bool is_decided_by_measure(const Problem& problem, const Wishes& wishes);

/// What is best for a problem with its wishes, where something else takes so long; by the cards alone where more than start-ups and
/// bytes costs.
using DecideBySize = std::function<std::optional<Decision>(const Problem&, const Wishes&, double)>;

/// Who lends is compared by start-ups and bytes alone, on this machine and on weaker ones: whoever sends fewer messages at once pays less for
/// them, and has less to put in order. What is best there is made and measured, and so are cards, forwards and backwards. Of at most
/// 32 nodes machines that are weaker yet are asked likewise. Nothing where nobody serves the problem in less than `known_time`.
[[nodiscard]] std::optional<Decision> decide_by_measure(const Problem& problem, const Wishes& wishes,
                                                        double known_time, const DecideBySize& decide);

}  // namespace quadrille
