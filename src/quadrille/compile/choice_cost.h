// What candidates are sorted by.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// What is to be small: the steps, or the time for pieces of so many bytes.
struct Goal {
  Goal(uint64_t bytes = 1, bool timed = false, bool settles = true)  // NOLINT(google-explicit-constructor)
      : block_bytes(bytes), by_time(timed), may_settle(settles) {}

  uint64_t block_bytes;
  bool by_time;  ///< of any plan; without it only where start-ups are traded for blocks
  /// Whether what is lent may be made to see what it takes, where that follows from its lenders, too.
  bool may_settle;
  bool asks_lenders = true;  ///< of choose_algorithm()
};

/// Where two figures tell plans apart.
[[nodiscard]] bool is_priced(const Problem& problem);

/// Start-ups and critical blocks.
[[nodiscard]] bool has_both(const Prediction& prediction);

/// Nothing to rearrange where every worm is a single block.
[[nodiscard]] std::optional<uint64_t> rearranged_by(const Prediction& prediction);
/// A packet goes over one link in a step.
[[nodiscard]] std::optional<uint64_t> hops_by(const Prediction& prediction, const Problem& problem);
/// None where a node starts and ends one message in a step.
[[nodiscard]] std::optional<uint64_t> further_messages_by(const Prediction& prediction,
                                                          const Problem& problem);
/// Whether part of the time is unknown.
[[nodiscard]] bool is_uncertain(const Prediction& prediction, const Problem& problem);
/// The time as far as it is known.
[[nodiscard]] double price(const Prediction& prediction, const Problem& problem, uint64_t block_bytes);

/// Steps, or the time of start-ups and blocks; those of which a part of the time is unknown after the others,
/// those without the figures last.
using ChoiceCost = std::tuple<bool, double, uint64_t, uint64_t>;
[[nodiscard]] ChoiceCost cost_of(const Prediction& prediction, const Problem& problem, uint64_t block_bytes);

}  // namespace quadrille
