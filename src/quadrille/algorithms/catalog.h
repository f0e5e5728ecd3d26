// The catalog of algorithms: every card of catalog.inc, by name.
#pragma once

#include <span>
#include <string_view>

#include "quadrille/algorithms/algorithm.h"

namespace quadrille {

namespace algorithms {
#define QUADRILLE_ALGORITHM(name) extern const Algorithm name;
#include "quadrille/algorithms/catalog.inc"
#undef QUADRILLE_ALGORITHM
}  // namespace algorithms

/// All cards, sorted by name.
[[nodiscard]] std::span<const Algorithm* const> algorithm_catalog();
/// The card with that name, or null.
[[nodiscard]] const Algorithm* find_algorithm(std::string_view name);

}  // namespace quadrille
