// Drawn plans: figures that show a schedule on a small network. They are computed by making the plan, having it judged,
// and writing down who sends what in every step.
//
// A figure at another size is the same plan on the next network of its family; what the paper says of the number of
// steps is a formula of the size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/reproduce/settings.h"
#include "quadrille/reproduce/sheet.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Steps that a figure shows, counted from 1.
struct StepRange {
  uint64_t first = 1;
  uint64_t last = UINT64_MAX;
};

/// A figure's schedule, by its size; where the card has no parameter "size" it is 0.
struct DrawnPlan {
  std::string (*topology)(uint64_t size) = nullptr;  ///< its spec
  CollectiveKind collective = CollectiveKind::kBroadcast;
  Model (*model)() = nullptr;
  std::string_view algorithm{};
  std::string_view root{};  ///< by number or label, for collectives that have one
  /// How many steps the paper says it takes; null where it says nothing.
  uint64_t (*steps)(uint64_t size) = nullptr;
  std::string_view misprint{};  ///< where that is wrong
  /// Of a worm, the number of blocks and not their names.
  bool counts_blocks = false;
  /// Null: all of them.
  StepRange (*steps_drawn)(uint64_t size) = nullptr;
};

/// For every size what the plan measures and what the paper says; and its steps, where they fit a page.
[[nodiscard]] Reproduction drawn(const DrawnPlan& plan, const Settings& settings);
/// The same for a card's `make`.
template <const DrawnPlan& kPlan>
[[nodiscard]] Reproduction drawn(const Settings& settings) {
  return drawn(kPlan, settings);
}

/// Who sends what in every step: "0>1: 0->5".
[[nodiscard]] Sheet steps_of(const DrawnPlan& plan, uint64_t size);

}  // namespace quadrille
