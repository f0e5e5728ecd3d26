// Bound: a proved lower bound on the number of steps (or of blocks on the critical path) of any plan for a
// problem.
//
// A bound knows no algorithm: it follows from the topology, the collective and the model alone, and it
// carries its witness, so that a reader can check it by hand. It is an exact fraction; steps are whole, so
// ceil() is what a plan is held against.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/catalog.h"
#include "quadrille/base/rational.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The figure of a plan that a bound is about.
enum class BoundOn : uint8_t {
  kSteps,
  kCriticalBlocks,  ///< rounds: Figures::critical_blocks
};

/// "steps" or "critical blocks".
[[nodiscard]] std::string_view name_of(BoundOn on);

/// A bound's value for one problem.
struct Bound {
  std::string_view name;  ///< of its card
  Rational value;
  std::string witness;  ///< the cut, the node, the weights that prove it, for people
  BoundOn on = BoundOn::kSteps;
  /// The same as data, for plan files; nothing where the bound rests on more than these can say.
  std::optional<BoundWitness> evidence{};
};

/// How a bound introduces itself; one per file in bounds/, one line in catalog.inc.
struct BoundCard {
  std::string_view name{};
  std::string_view summary{};
  std::string_view source{};
  std::span<const std::string_view>
      aliases{};  ///< names in older plan files, of which bounds are still checked
  /// Whether it counts what goes over links, through ports or across cuts, so that it is in proportion to the pieces
  /// and, of whatever it is a bound, one on the rounds of any plan (bounds/time_bound.h).
  bool in_proportion = false;
  /// Whether it looks at who has how much for whom, and so holds for alltoallv; of the others none is asked there.
  bool knows_counts = false;
  /// Whether it follows from the factors of a product where links are not listed (topology/products/outline.h); of the
  /// others none is asked there. Then it has no evidence.
  bool knows_outlines = false;
  /// Whether to know it takes a search, where the others take a moment.
  bool takes_long = false;
  /// The bound, or nothing where it says nothing about the problem. Asked through bounds_of().
  std::optional<Bound> (*evaluate)(const Problem&) = nullptr;
  /// Where it says more of one piece than of each of many, and so is not in proportion: the steps that each takes of however many,
  /// given the problem in one piece. Null: nothing is known.
  std::optional<Rational> (*of_each)(const Problem&) = nullptr;
};

/// All bounds, sorted by name.
[[nodiscard]] const Catalog<BoundCard>& bound_catalog();

/// What a card says about the problem. Where packet switching sends many packets a step, two things follow from
/// what it says of single packets: a step of r rounds is r steps of one packet, so a bound on their steps is
/// one on rounds; and the plan of one block alone is a plan of single packets, so a bound on its steps is one
/// on steps.
[[nodiscard]] std::vector<Bound> bounds_of(const BoundCard& card, const Problem& problem);
/// Rounds that each of any number of pieces takes of a plan, by a card that is not in proportion; `problem` is in one piece.
[[nodiscard]] std::optional<Rational> rounds_of_each(const BoundCard& card, const Problem& problem);
/// Every bound that says something about the problem, in catalog order.
[[nodiscard]] std::vector<Bound> all_bounds(const Problem& problem);
/// The cards that answer in a moment, those first that look at the fewest things.
[[nodiscard]] std::span<const BoundCard* const> quick_bound_cards();
/// Of those that are known in a moment.
[[nodiscard]] std::vector<Bound> quick_bounds(const Problem& problem);
/// The largest of those about one figure after rounding up; the first among equals. A bound on steps is one
/// on critical blocks too, because a step in which something is sent carries at least one block: it is taken,
/// with its own name and witness, where it is larger than all others. Where none is above 0, nothing has to
/// move, and the bound is 0.
[[nodiscard]] Bound best_of(std::span<const Bound> bounds, BoundOn on = BoundOn::kSteps);
/// best_of(all_bounds(problem), on). Bounds can take seconds on large networks: who needs more than one asks
/// for all.
[[nodiscard]] Bound best_bound(const Problem& problem, BoundOn on = BoundOn::kSteps);

}  // namespace quadrille
