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

/// Whether the card serves the problem, and if the model limits queues, whether it claims to keep the limit.
/// (A card's own applies() does not look at that limit.)
[[nodiscard]] Applicability serves(const Algorithm& card, const Problem& problem);

/// A card that was chosen for a problem, and why.
struct Choice {
  const Algorithm* algorithm = nullptr;
  std::string reason{};
};

/// The card that serves the problem with the fewest claimed steps; a card that claims no number of steps
/// comes after all that do, and the first in the catalog wins a tie. Throws InputError, with every card's
/// reason, when none does.
[[nodiscard]] Choice choose_algorithm(const Problem& problem);

}  // namespace quadrille
