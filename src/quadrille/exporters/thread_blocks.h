// The programs of all ranks as GPUs run them: thread blocks, each of which does one thing after another, sends to one peer at
// most or receives from one, and waits for steps of other thread blocks where data make it.
//
// A connection (from, to, channel) is a queue: its k-th send belongs to its k-th receive. Sends and receives lie in thread
// blocks of their own, so that nobody waits in a circle even where a send lasts until it is received. Steps depend on
// each other by the slots that they read and write, and by nothing else: barriers and bare words of a program, which keep
// the steps of a plan apart on its links, are left out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "quadrille/exporters/exporter.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

struct BlockStep {
  enum class Kind : uint8_t { kSend, kReceive, kReceiveReduce, kCopy, kReduce, kNothing };

  Kind kind = Kind::kNothing;
  /// Of a message one of the two is at the peer. A reduction reads both, and writes `target`.
  Buffer source_buffer = Buffer::kInput;
  Buffer target_buffer = Buffer::kInput;
  uint32_t source = 0;
  uint32_t target = 0;
  uint32_t count = 0;
  uint32_t plan_step = 0;
  /// The step of another thread block that comes before; UINT32_MAX: none.
  uint32_t after_block = UINT32_MAX;
  uint32_t after_step = UINT32_MAX;
  bool is_waited_for = false;
};

struct ThreadBlock {
  static constexpr uint32_t kNobody = UINT32_MAX;

  uint32_t send_to = kNobody;
  uint32_t receive_from = kNobody;
  uint32_t channel = 0;
  std::vector<BlockStep> steps{};
};

struct GpuProgram {
  uint32_t input_slots = 0;
  uint32_t output_slots = 0;
  uint32_t scratch_slots = 0;
  std::vector<ThreadBlock> blocks{};
};

struct ThreadBlockLimits {
  std::string_view what{};  ///< the form that has them, for errors
  uint32_t slots_of_a_step = 71;
  /// How many peers a rank may send to, or receive from, on one channel.
  uint32_t peers_of_a_channel = 32;
  uint64_t steps_of_a_rank = 4096;
  /// Whether the form has names for them.
  bool gather_and_scatter = false;
};

/// Throws InputError for what there is no step for, sums in the order of ranks, and for more steps than the limit.
[[nodiscard]] std::vector<GpuProgram> thread_blocks(const Program& program, const ThreadBlockLimits& limits);

/// What GPUs do for a schedule, and what their libraries call the collective.
struct GpuCollective {
  std::string_view name{};
  std::vector<GpuProgram> gpus{};
};

/// Throws InputError for collectives that these libraries have no name for, too.
[[nodiscard]] GpuCollective gpu_programs(const ScheduleToExport& what, const ThreadBlockLimits& limits);

}  // namespace quadrille
