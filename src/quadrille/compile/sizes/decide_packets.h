// Deciding how many packets go over a link in a step: single ones, or many.
#pragma once

#include <optional>

#include "quadrille/compile/compile.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// For a problem of single packets, where it is the planner's to choose (Wishes::any_packets): what takes least time for the size
/// that is wished for, with many packets where that is faster; nothing where no time is known of any.
[[nodiscard]] std::optional<Decision> decide_packets(const Problem& problem, const Wishes& wishes);

}  // namespace quadrille
