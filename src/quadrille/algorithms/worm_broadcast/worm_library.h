// Worm library: broadcasts on small tori that a search has found, kept as data.
//
// They were found by a SAT solver with every link of every step a variable (search/worm_broadcast.h), and
// they are as good as the bounds allow: each takes as many steps as the larger of the bounds `doubling` and
// `dimension_order`, or one step fewer is known to be impossible. Tests judge all of them.
//
// An entry is a text: sides, number of steps, and one word for every place in row-major order. "2+1-3" means
// that the place hears in step 2 from a worm that takes one hop up in dimension 1 and three down in dimension
// 2; "0" is the root. "paired" after the number of steps marks sides of 2 with two links instead of one: such
// an entry is no torus of this house, but the pattern from which larger ones are composed
// (worm_broadcast/worm_composition.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

struct StoredBroadcast {
  GridShape shape{};
  bool paired = false;
  WormPlan plan{};
  /// For each dimension the coordinates other than 0 at which nobody sends.
  std::vector<std::vector<uint32_t>> quiet{};
};

/// All entries, fewest steps first and among these the largest first.
[[nodiscard]] std::span<const StoredBroadcast> worm_library();
/// The entry for exactly this torus, or null.
[[nodiscard]] const StoredBroadcast* find_stored_broadcast(const GridShape& shape, bool paired);

/// Reads an entry. Throws InputError for anything else than the form above, a worm from a place that does not
/// know yet, or one that goes the long way round.
[[nodiscard]] StoredBroadcast read_stored_broadcast(std::string_view text);
/// Writes one; the plan must tell every place once.
[[nodiscard]] std::string write_stored_broadcast(const GridShape& shape, const WormPlan& plan);

}  // namespace quadrille
