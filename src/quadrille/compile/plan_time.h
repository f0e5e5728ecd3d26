// The time of a plan by the model's constants, and what no plan takes less than.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// The bytes of one of the pieces in which a message of so many bytes is sent: rounded up, what is missing in the
/// last ones is padding.
[[nodiscard]] constexpr uint64_t chunk_bytes(uint64_t message_bytes, uint32_t pieces) {
  return message_bytes / pieces + (message_bytes % pieces == 0 ? 0 : 1);
}
[[nodiscard]] uint64_t chunk_bytes(const Problem& problem, uint64_t message_bytes);
/// "blocks of 1,000 bytes", "blocks of 1,000 bytes in 3 pieces of 334 (padded by 2)".
[[nodiscard]] std::string message_text(const Problem& problem, uint64_t message_bytes);

/// In the model's unit, for messages of one size.
struct PlanTime {
  double total = 0.0;
  double latency = 0.0;      ///< the part of it for start-ups
  double messages = 0.0;     ///< the part for messages of one node in a step beyond its first
  double propagation = 0.0;  ///< the part for hops: of each step, the longest way of a transfer
  double transfer = 0.0;     ///< the part for bytes on links, along the critical path
  /// The part for blocks moved in memory; empty: not known, not counted.
  std::optional<double> rearrangement{};
  double least = 0.0;  ///< no plan takes less, in however many pieces
  TimeBound bound{};   ///< why
  /// Of single packets, where many were looked at, too (Decision::least_of_many). Whoever knows it fills it in.
  std::optional<TimeBound> of_many_packets{};
};

/// Whether rearranging, the distance that messages cover, or their number at a node costs time in the model.
[[nodiscard]] bool rearranging_costs(const Problem& problem);
[[nodiscard]] bool hops_cost(const Problem& problem);
[[nodiscard]] bool messages_cost(const Problem& problem);
/// Any of these: more than start-ups and bytes.
[[nodiscard]] bool more_costs(const Problem& problem);

/// The problem with as many packets over a link in a step as it likes.
[[nodiscard]] Problem with_many_packets(const Problem& problem);

/// `bounds`: all of the problem. `rearranged`: blocks that the busiest node rearranges, where that is known.
[[nodiscard]] PlanTime time_of(const Problem& problem, const Figures& figures, std::span<const Bound> bounds,
                               std::optional<uint64_t> rearranged, uint64_t message_bytes);

}  // namespace quadrille
