// Writing programs from a dataflow whose values have their places: what lower() does for all ranks, and whoever knows one
// rank's part of a dataflow for that rank alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/dataflow.h"
#include "quadrille/program/placement.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

/// A send or receive of one rank: a range of messages that travel together.
struct Start {
  Rank rank{0};
  uint32_t step = 0;
  uint32_t arrives = 0;
  ActionKind kind = ActionKind::kSend;
  Rank peer{0};
  size_t begin = 0;  ///< in the sorted messages
  size_t end = 0;
};

/// A copy or reduction of one slot within a rank.
struct LocalMove {
  Rank rank{0};
  uint32_t step = 0;
  ActionKind kind = ActionKind::kCopy;
  Place target;
  Place source;
  bool early = false;  ///< before the waits of its step: from input to output
};

/// All local moves, by rank and then in the order in which they must be done; of a dataflow that holds one rank's part, of that
/// rank. `ordered`: contributions are combined in the order of ranks.
[[nodiscard]] std::vector<LocalMove> list_moves(const Dataflow& flow, const Placement& placement,
                                                const BufferLayout& layout, bool ordered,
                                                std::optional<Rank> only = {});

/// The actions of one rank: its starts by step, in a step receives first, and its moves as list_moves() has them. `messages`: of the
/// dataflow, those that travel together side by side.
void write_actions(const Dataflow& flow, const Placement& placement, std::span<const uint32_t> messages,
                   std::span<const Start> starts, std::span<const LocalMove> moves, RankProgram& out);

}  // namespace quadrille
