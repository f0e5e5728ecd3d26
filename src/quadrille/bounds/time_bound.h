// Time bound: what no plan takes less than, for a message of so many bytes in however many pieces it is sent.
//
// A bound on the steps of a plan is one for that many pieces. Two things hold for any number:
//
//   start-ups  S >= what one piece needs: the transfers of the first piece alone are a plan for it.
//   rounds     R >= r pieces, where r messages must go over some link, through some port or across some cut, for
//              each unit of its capacity. Bounds that count so are in proportion to the pieces (BoundCard::in_proportion);
//              a piece has at least bytes / pieces.
//
// So time >= S ts + bytes r tx. Where a step carries one piece over a link (packet switching) it has one round, and more
// pieces cost more steps: T steps bring at most F(T) of them to a node, a flow over time, and
//
//   time >= the least, over all T, of T (ts + bytes tx / F(T)).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "quadrille/base/rational.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct TimeBound {
  double time = 0.0;  ///< in the model's unit

  uint64_t start_ups = 0;  ///< of any plan, in any number of pieces
  std::string start_ups_by{};
  Rational rounds{};  ///< messages for each unit of capacity
  std::string rounds_by{};
  /// Where pieces that follow each other cost steps: those of the plan that the time is taken from.
  std::optional<uint64_t> steps{};

  /// "4 start-ups (distance) and 0.46875 messages over a link (average_status)".
  [[nodiscard]] std::string to_text() const;
};

/// `bounds`: all of the problem (all_bounds). What the problem's own number of pieces is does not matter.
[[nodiscard]] TimeBound least_time(const Problem& problem, uint64_t message_bytes,
                                   std::span<const Bound> bounds);

}  // namespace quadrille
