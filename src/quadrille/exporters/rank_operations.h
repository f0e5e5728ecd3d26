// What each rank does as a graph: messages and sums, and which of them must be over before another begins. What exporters for
// simulators of messages share.
//
// The order is a program's own: what stands after a wait begins when all that was waited for is over, and messages between two
// waits go at once. Of the orders that follow from others none is written down. Copies within a rank take no time there and
// are left out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "quadrille/program/rank_program.h"

namespace quadrille {

struct RankOperation {
  enum class Kind : uint8_t { kSend, kReceive, kReduce };

  Kind kind = Kind::kSend;
  uint32_t peer = 0;
  /// Which message it is of those from this sender to this receiver, from 0: the same at both ends.
  uint32_t tag = 0;
  uint64_t blocks = 0;
  uint32_t plan_step = 0;
  uint32_t after = 0;  ///< in RankOperations::waits
};

struct RankOperations {
  std::vector<RankOperation> operations{};
  /// Sets of operations, by number, that must be over; the first one is empty.
  std::vector<std::vector<uint32_t>> waits{{}};
};

/// One for each rank. `form` is for errors: throws InputError for barriers, which are no messages.
[[nodiscard]] std::vector<RankOperations> rank_operations(const Program& program, std::string_view form);

}  // namespace quadrille
