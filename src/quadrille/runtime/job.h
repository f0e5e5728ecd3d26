// Job: a schedule run on real buffers, every byte of the result checked.
//
//     const JobResult result = run_on_threads(schedule, {.block_bytes = 1 << 20, .iterations = 10});
//     if (!result.correct()) ...
//
// Every iteration has new inputs, and outputs that are wrong in every byte, so nothing that is left from the
// one before can pass. Only the runs are timed, not the filling and checking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "quadrille/program/rank_program.h"
#include "quadrille/runtime/link_meetings.h"
#include "quadrille/runtime/transport.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

struct ArrayLayout;
class BufferLayout;
struct MemoryLimit;

struct JobOptions {
  size_t block_bytes = 1024;
  uint32_t iterations = 1;
  /// Send slices of these arrays of the schedule, never packed (program/array_layout.h).
  const ArrayLayout* arrays = nullptr;
  /// What keeps the steps apart, and is obeyed: barriers, signals, priorities. Without, ranks only wait for
  /// what they need.
  std::optional<PlanSynchronisation> synchronisation{};
  /// Threads only: let messages hold the links of their paths, as worms do, and count where they meet
  /// (runtime/link_watch.h).
  bool watch_links = false;
};

struct JobResult {
  uint64_t messages = 0;       ///< of one iteration, over all ranks
  uint64_t bytes_sent = 0;     ///< between ranks, in one iteration
  uint64_t bytes_local = 0;    ///< copied and reduced within ranks, in one iteration
  uint64_t scratch_bytes = 0;  ///< of the rank that needs most
  uint64_t null_messages = 0;  ///< signals, in one iteration
  uint64_t barriers = 0;       ///< in one iteration
  uint64_t bytes_checked = 0;  ///< over all iterations
  uint64_t wrong_bytes = 0;    ///< over all iterations
  double seconds = 0;          ///< over all iterations
  /// If links were watched: over all iterations.
  std::optional<LinkMeetings> meetings{};

  [[nodiscard]] bool correct() const { return wrong_bytes == 0; }
};

/// "19.87 ms for 10 runs, 1.6 GiB/s": how long all runs took, and how many bytes moved a second.
[[nodiscard]] std::string speed_text(double seconds, uint32_t runs, double bytes);

inline constexpr uint32_t kMaxThreadRanks = 4096;

/// Lowers the schedule, checks its programs and runs them on threads of this process, one a rank. Throws
/// InputError for more than kMaxThreadRanks ranks, or more bytes than the machine has.
[[nodiscard]] JobResult run_on_threads(const Schedule& schedule, const JobOptions& options);

/// lower() or lower_slices(), what is to be obeyed, and check_program(): programs with findings would be a bug
/// of ours.
[[nodiscard]] Program checked_program(const Schedule& schedule, const ArrayLayout* arrays = nullptr,
                                      const PlanSynchronisation* synchronisation = nullptr);

/// The same without priorities, for networks that have none: signals keep apart what they did.
[[nodiscard]] PlanSynchronisation without_priorities(const Schedule& schedule, PlanSynchronisation stated);

/// What is known before the job runs: the first four figures. Throws InputError if the bytes of a buffer
/// cannot be counted.
[[nodiscard]] JobResult measure_job(const Program& program, const JobOptions& options);

/// Bytes of one rank's input, output and scratch: a number that may be far too large to be counted exactly.
[[nodiscard]] double buffer_bytes(const RankProgram& program, const JobOptions& options);
/// Refuses a job that would not fit in memory before it is half started: throws InputError.
void require_memory(double needed, const MemoryLimit& there, const JobOptions& options);

/// What one rank found.
struct RankResult {
  uint64_t bytes_checked = 0;
  uint64_t wrong_bytes = 0;
  double seconds = 0;
};

/// One rank's share of a job, over any transport. All ranks must call it.
[[nodiscard]] RankResult run_rank(const Program& program, const BufferLayout& layout,
                                  const JobOptions& options, Transport& transport);

}  // namespace quadrille
