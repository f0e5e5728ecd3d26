// Deciding by size: which algorithm, in how many pieces, takes least time for the message that is wished for.
#pragma once

#include <limits>
#include <optional>

#include "quadrille/compile/compile.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// On a large network no search is begun that cannot save more than this part of the time.
inline constexpr double kHardlyFaster = 1.0 / 64;

/// The algorithm, and the pieces where nobody says in how many, that take least time for the size that is wished for
/// (`wishes.bytes`); nothing where that is not known of any. What is chosen as the problem stands is kept unless others are faster.
/// `known_time`: what something else takes, in the units of the model's constants; on large networks nothing is searched for that
/// takes as long, and what is returned may take longer.
[[nodiscard]] std::optional<Decision> decide_by_size(
    const Problem& problem, const Wishes& wishes,
    double known_time = std::numeric_limits<double>::infinity());

}  // namespace quadrille
