// Job: a schedule run on real buffers, every byte of the result checked.
//
//     const JobResult result = run_on_threads(schedule, {.block_bytes = 1 << 20, .iterations = 10});
//     if (!result.correct()) ...
//
// With `elements` numbers are combined, and the result is held against what one rank after another gives
// (runtime/elements/element_pattern.h).
//
// Every iteration has new inputs, and outputs that are wrong in every byte, so nothing that is left from the
// one before can pass. Only the runs are timed, not the filling and checking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/program/rank_program.h"
#include "quadrille/runtime/elements/elements.h"
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
  /// Of a reduction: what blocks hold, whole elements; without, bytes are added. Throws InputError where the operator
  /// does not commute and the schedule does not combine ranks in order.
  std::optional<Elements> elements{};
  uint32_t iterations = 1;
  /// Send slices of these arrays of the schedule, never packed (program/arrays/array_layout.h).
  const ArrayLayout* arrays = nullptr;
  /// What keeps the steps apart, and is obeyed: barriers, signals, priorities. Without, ranks only wait for
  /// what they need.
  std::optional<PlanSynchronisation> synchronisation{};
  /// Threads only: let messages hold the links of their paths, as worms do, and count where they meet
  /// (runtime/link_watch.h).
  bool watch_links = false;
};

struct JobResult {
  uint64_t messages = 0;        ///< of one iteration, over all ranks
  uint64_t bytes_sent = 0;      ///< between ranks, in one iteration
  uint64_t bytes_local = 0;     ///< copied and reduced within ranks, in one iteration
  uint64_t scratch_bytes = 0;   ///< of the rank that needs most
  uint64_t null_messages = 0;   ///< signals, in one iteration
  uint64_t barriers = 0;        ///< in one iteration
  uint64_t bytes_checked = 0;   ///< over all iterations
  uint64_t wrong_bytes = 0;     ///< over all iterations; of elements, bytes of wrong ones
  double error = 0;             ///< of elements that are rounded, the largest, as a part of what is allowed
  double seconds = 0;           ///< over all iterations
  std::vector<double> times{};  ///< of each iteration, in seconds: until the last rank is done
  /// If links were watched: over all iterations.
  std::optional<LinkMeetings> meetings{};

  [[nodiscard]] bool correct() const { return wrong_bytes == 0; }
};

/// "19.87 ms"; of several runs "min 18.20 ms, median 19.87 ms, max 23.15 ms of 10 runs".
[[nodiscard]] std::string times_text(std::span<const double> seconds);
/// The middle one; of an even number, of the two in the middle the mean. There is one.
[[nodiscard]] double median_of(std::span<const double> seconds);

/// What users of MPI and of accelerators compare, in GB (10^9 bytes) a second. `algorithm`: bytes of the vector, or of
/// all ranks' blocks together, by time. `bus`: times what every rank has to send at least, as a part of them: for an
/// allreduce 2 (n-1) / n, where blocks are for ranks (n-1) / n, for a broadcast or reduce 1.
struct Bandwidth {
  double algorithm = 0;
  double bus = 0;
};
[[nodiscard]] Bandwidth bandwidth_of(const Collective& collective, uint64_t message_bytes, double seconds);
/// "0.053 GB/s, on the bus 0.098 GB/s"
[[nodiscard]] std::string to_text(const Bandwidth& bandwidth);

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

/// "262,144 of float, sum; 16 chunks of 16,384 (padded by 12 bytes)".
[[nodiscard]] std::string elements_text(const Problem& problem, uint64_t message_bytes,
                                        const JobOptions& options);
/// "none is allowed: every order gives these bits", "at most 31 % of what rounding may do".
[[nodiscard]] std::string error_text(const Elements& elements, const JobResult& result);

/// Elements are for collectives that combine.
[[nodiscard]] InputError combines_nothing(std::string_view collective);
/// Throws InputError for elements that the schedule cannot combine, or that its blocks do not hold.
void require_elements(const Problem& problem, const JobOptions& options);

/// Throws InputError for so many blocks that their bytes are more than 64 bits count.
void require_countable(uint64_t blocks, const JobOptions& options);

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
  double error = 0;
  std::vector<double> times{};
};

/// One rank's share of a job, over any transport. All ranks must call it.
[[nodiscard]] RankResult run_rank(const Program& program, const BufferLayout& layout,
                                  const JobOptions& options, Transport& transport);

}  // namespace quadrille
