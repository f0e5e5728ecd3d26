// The catalog of algorithms: every card of catalog.inc, by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

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

/// A card that was chosen for a problem, and why.
struct Choice {
  const Algorithm* algorithm = nullptr;
  std::string reason{};
};

/// The applicable card with the fewest claimed steps; a card that claims no number of steps comes after all
/// that do, and the first in the catalog wins a tie. Where the model limits queues, only cards that claim to
/// keep the limit are taken. Throws InputError, with every card's reason, when none
/// applies.
[[nodiscard]] Choice choose_algorithm(const Problem& problem);

}  // namespace quadrille
