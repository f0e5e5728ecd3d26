// RankProgram: what one rank does in a collective, in order. Program: all ranks together.
//
// A rank has three buffers, counted in slots of one block each: its input (never written), its output, and
// scratch for blocks in transit and for partial results. Its program is a list of actions:
//
//   send           starts to send the blocks in some slots to a peer
//   receive        starts to receive blocks from a peer into some slots
//   receive_reduce starts to receive blocks from a peer; when waited for, they are reduced into the slots
//   wait           waits until the listed sends and receives are complete
//   copy, reduce   at once, between two runs of the rank's own slots; reduce_before puts the source on the left of
//                  the target, for operators that do not commute
//   barrier        waits until every rank has come to it
//
// A send or receive of no slots is a null message: it carries nothing but that its sender has come so far.
// Sends and receives only start an operation; until its wait the slots of a send must not be written and the
// slots of a receive must not be touched. The i-th send of a to b belongs to the i-th receive of b from a:
// there are no tags. A send may be incomplete until its receive has started (rendezvous), so a program must
// be free of cyclic waits even then; check_program() checks all this.
//
// All of a rank's actions lie in four flat arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/collective/collective.h"

namespace quadrille {

enum class Buffer : uint8_t { kInput, kOutput, kScratch };
[[nodiscard]] std::string_view name_of(Buffer buffer);

/// `count` consecutive slots of a buffer.
struct SlotRun {
  Buffer buffer = Buffer::kInput;
  uint32_t first = 0;
  uint32_t count = 0;
  friend bool operator==(const SlotRun&, const SlotRun&) = default;
};

enum class ActionKind : uint8_t {
  kSend,
  kReceive,
  kReceiveReduce,
  kWait,
  kCopy,
  kReduce,
  kReduceBefore,
  kBarrier
};
[[nodiscard]] std::string_view name_of(ActionKind kind);
/// Sends and receives: what is waited for.
[[nodiscard]] constexpr bool starts_request(ActionKind kind) { return kind <= ActionKind::kReceiveReduce; }
/// Within a rank, at once.
[[nodiscard]] constexpr bool is_local(ActionKind kind) {
  return kind == ActionKind::kCopy || kind == ActionKind::kReduce || kind == ActionKind::kReduceBefore;
}

struct Action {
  ActionKind kind = ActionKind::kSend;
  Rank peer{0};       ///< of a send or receive
  uint32_t step = 0;  ///< step of the schedule that it belongs to
  /// Range in `runs`: the slots of a send or receive; for copy and reduce the target, then the source.
  /// Range in `requests` for a wait.
  uint32_t begin = 0;
  uint32_t end = 0;
  /// Where the blocks of a send or receive start in `blocks`: one per slot, in the order of the slots.
  uint32_t blocks_begin = 0;
  friend bool operator==(const Action&, const Action&) = default;
};

struct RankProgram {
  Rank rank{0};
  uint32_t input_slots = 0;
  uint32_t output_slots = 0;
  uint32_t scratch_slots = 0;  ///< the most that are in use at once
  std::vector<Action> actions;
  std::vector<SlotRun> runs;
  std::vector<BlockId> blocks;
  /// What waits wait for: the number of a send or receive among all those of this rank, counted from 0.
  std::vector<uint32_t> requests;

  [[nodiscard]] std::span<const SlotRun> runs_of(const Action& action) const {
    return std::span(runs).subspan(action.begin, action.end - action.begin);
  }
  [[nodiscard]] std::span<const BlockId> blocks_of(const Action& action) const;
  [[nodiscard]] std::span<const uint32_t> requests_of(const Action& wait) const {
    return std::span(requests).subspan(wait.begin, wait.end - wait.begin);
  }
  friend bool operator==(const RankProgram&, const RankProgram&) = default;
};

struct Program {
  Collective collective;
  std::vector<RankProgram> ranks;

  /// Messages with blocks, and without; blocks in messages, over all ranks; blocks that are copied or reduced
  /// within a rank.
  [[nodiscard]] uint64_t num_messages() const;
  [[nodiscard]] uint64_t num_null_messages() const;
  /// How often all ranks meet.
  [[nodiscard]] uint64_t num_barriers() const;
  [[nodiscard]] uint64_t blocks_sent() const;
  [[nodiscard]] uint64_t blocks_moved_locally() const;
  friend bool operator==(const Program&, const Program&) = default;
};

/// One action for people: "step 3: send output[4..5] scratch[0] to 7".
[[nodiscard]] std::string to_text(const RankProgram& program, const Action& action);

}  // namespace quadrille
