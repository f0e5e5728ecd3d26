#include "quadrille/runtime/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/program/array_layout.h"
#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/lower_slices.h"
#include "quadrille/program/obey_synchronisation.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/runtime/executor.h"
#include "quadrille/runtime/link_watch.h"
#include "quadrille/runtime/test_pattern.h"
#include "quadrille/runtime/thread_transport.h"

namespace quadrille {
namespace {

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.0f} us", seconds * 1e6);
}

}  // namespace

std::string speed_text(double seconds, uint32_t runs, double bytes) {
  const std::string times = runs == 1 ? "" : fmt::format(" for {} runs", runs);
  return fmt::format("{}{}, {}/s", seconds_text(seconds), times,
                     bytes_text(seconds > 0 ? bytes / seconds : 0));
}

Program checked_program(const Schedule& schedule, const ArrayLayout* arrays,
                        const PlanSynchronisation* synchronisation) {
  Program program = arrays != nullptr ? lower_slices(schedule, *arrays) : lower(schedule);
  if (synchronisation != nullptr) obey(program, *synchronisation, schedule.problem().topology());
  const std::vector<Finding> findings = check_program(program, 1);
  QUADRILLE_CHECK(findings.empty(), fmt::format("the programs of {} are wrong: {}",
                                                schedule.problem().title(), to_text(findings.front())));
  return program;
}

JobResult measure_job(const Program& program, const JobOptions& options) {
  JobResult result;
  const uint64_t sent = program.blocks_sent();
  const uint64_t local = program.blocks_moved_locally();
  uint32_t scratch = 0;
  for (const RankProgram& rank : program.ranks) scratch = std::max(scratch, rank.scratch_slots);
  const uint64_t most = std::max({sent, local, uint64_t{scratch}, uint64_t{1}});
  if (options.block_bytes > UINT64_MAX / most) {
    throw InputError(
        fmt::format("{} blocks of {} bytes are too many bytes to count", most, options.block_bytes));
  }
  result.messages = program.num_messages();
  result.null_messages = program.num_null_messages();
  result.barriers = program.num_barriers();
  result.bytes_sent = sent * options.block_bytes;
  result.bytes_local = local * options.block_bytes;
  result.scratch_bytes = uint64_t{scratch} * options.block_bytes;
  return result;
}

double buffer_bytes(const RankProgram& program, const JobOptions& options) {
  const uint64_t slots = uint64_t{program.input_slots} + program.output_slots + program.scratch_slots;
  return static_cast<double>(slots) * static_cast<double>(options.block_bytes);
}

void require_memory(double needed, const MemoryLimit& there, const JobOptions& options) {
  if (needed <= static_cast<double>(there.bytes)) return;
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  throw InputError(fmt::format("blocks of {} bytes need {:.1f} GiB for the buffers of all ranks; {}",
                               options.block_bytes, needed / kGiB, there.text()));
}

RankResult run_rank(const Program& program, const BufferLayout& layout, const JobOptions& options,
                    Transport& transport) {
  using Clock = std::chrono::steady_clock;
  const Rank rank = transport.rank();
  Executor executor(program.ranks[index(rank)], options.block_bytes);
  std::vector<std::byte> input(executor.input_bytes());
  std::vector<std::byte> output(executor.output_bytes());
  RankResult result;
  try {
    for (uint32_t i = 0; i < options.iterations; ++i) {
      fill_input(layout, rank, options.block_bytes, i, input);
      spoil_output(layout, rank, options.block_bytes, i, output);
      transport.barrier();
      const Clock::time_point start = Clock::now();
      executor.run(transport, input, output);
      transport.barrier();
      result.seconds += std::chrono::duration<double>(Clock::now() - start).count();
      result.bytes_checked += output.size();
      result.wrong_bytes += count_wrong_bytes(layout, rank, options.block_bytes, i, output);
    }
  } catch (...) {
    transport.give_up();
    throw;
  }
  return result;
}

PlanSynchronisation without_priorities(const Schedule& schedule, PlanSynchronisation stated) {
  if (stated.priorities.empty()) return stated;
  stated.priorities.clear();
  const Synchronisation found = synchronise(schedule, {.ports = stated.ports});
  stated.signals.insert(stated.signals.end(), found.signals.begin(), found.signals.end());
  return stated;
}

JobResult run_on_threads(const Schedule& schedule, const JobOptions& options) {
  const uint32_t ranks = schedule.problem().collective().num_ranks();
  if (ranks > kMaxThreadRanks) {
    throw InputError(
        fmt::format("{} ranks are too many for threads of one process; at most {}", ranks, kMaxThreadRanks));
  }
  const PlanSynchronisation* obeyed = options.synchronisation ? &*options.synchronisation : nullptr;
  const Program program = checked_program(schedule, options.arrays, obeyed);
  double bytes = 0;
  for (const RankProgram& rank : program.ranks) bytes += buffer_bytes(rank, options);
  require_memory(bytes, memory_limit(), options);
  JobResult result = measure_job(program, options);
  const BufferLayout layout(program.collective);
  // Priorities are the network's: where there are some, messages hold links.
  std::optional<LinkWatch> watch;
  if (options.watch_links || (obeyed != nullptr && !obeyed->priorities.empty()))
    watch.emplace(schedule, program, obeyed != nullptr ? *obeyed : PlanSynchronisation{});
  std::vector<RankResult> found(ranks);
  run_threads(ranks, [&](Transport& transport) {
    const std::unique_ptr<Transport> watched = watch ? watch->watch(transport) : nullptr;
    found[index(transport.rank())] = run_rank(program, layout, options, watched ? *watched : transport);
  });
  if (watch) result.meetings = watch->meetings();
  for (const RankResult& rank : found) {
    result.bytes_checked += rank.bytes_checked;
    result.wrong_bytes += rank.wrong_bytes;
    result.seconds = std::max(result.seconds, rank.seconds);
  }
  return result;
}

}  // namespace quadrille
