// Dataflow: which values of blocks the ranks hold in a schedule, and the messages that they are made from.
//
// A value is a block as one rank holds it from one step to another. It never changes: when something is
// reduced into a block the rank has a new value, made from messages and from older values of its own.
//
// Routers are no ranks and run no program, so they are contracted here. A block that goes from a leaf through
// routers to another leaf is one message between the leaves: it is sent in the step in which it left the
// first and arrives in the step in which it reached the second. What a router copies becomes several messages
// of one value; what it reduces becomes several messages that are reduced where they arrive. What comes back
// to the rank that it left is no message at all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/verify/schedule.h"

namespace quadrille {

/// A value of a dataflow: 0 .. values.size()-1, in the order in which they are made.
using ValueId = uint32_t;
inline constexpr ValueId kNoValue = UINT32_MAX;

struct Value {
  static constexpr uint32_t kFromInput = UINT32_MAX;

  Rank rank{0};
  BlockId block{0};
  uint32_t step = kFromInput;  ///< the step in which it is made
  /// The sum of these messages and these values of the same rank (ranges in Dataflow).
  uint32_t messages_begin = 0;
  uint32_t messages_end = 0;
  uint32_t locals_begin = 0;
  uint32_t locals_end = 0;
};

struct Message {
  ValueId from = kNoValue;
  ValueId to = kNoValue;
  uint32_t sent = 0;     ///< step in which it leaves the sender
  uint32_t arrives = 0;  ///< step in which it reaches the receiver, >= sent
};

struct Dataflow {
  std::vector<Value> values;
  std::vector<Message> messages;
  std::vector<ValueId> locals;
  /// The values that ranks must have last, by rank and then by output slot.
  std::vector<ValueId> results;
  uint32_t steps = 0;

  [[nodiscard]] std::span<const ValueId> locals_of(const Value& value) const {
    return std::span(locals).subspan(value.locals_begin, value.locals_end - value.locals_begin);
  }
};

/// The dataflow of a schedule. Throws InputError for one that is too large for 32-bit numbers.
[[nodiscard]] Dataflow trace_dataflow(const Schedule& schedule);

}  // namespace quadrille
