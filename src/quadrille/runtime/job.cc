#include "quadrille/runtime/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/text.h"
#include "quadrille/collective/counts.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/lowering/lower_slices.h"
#include "quadrille/program/obey_synchronisation.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/runtime/elements/element_pattern.h"
#include "quadrille/runtime/executor.h"
#include "quadrille/runtime/link_watch.h"
#include "quadrille/runtime/test_pattern.h"
#include "quadrille/runtime/thread_transport.h"

namespace quadrille {
namespace {

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.0f} us", seconds * 1e6);
}

}  // namespace

double median_of(std::span<const double> seconds) {
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::string times_text(std::span<const double> seconds) {
  if (seconds.size() == 1) return seconds_text(seconds.front());
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return fmt::format("min {}, median {}, max {} of {} runs", seconds_text(*least),
                     seconds_text(median_of(seconds)), seconds_text(*most), seconds.size());
}

Bandwidth bandwidth_of(const Collective& collective, uint64_t message_bytes, double seconds) {
  if (seconds <= 0) return {};
  const double ranks = collective.num_ranks();
  auto bytes = static_cast<double>(message_bytes);
  double part = 1;
  switch (collective.kind()) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
      break;
    case CollectiveKind::kAllreduce:
      part = 2 * (ranks - 1) / ranks;
      break;
    case CollectiveKind::kAlltoallv: {
      const Counts& counts = *collective.counts();
      if (counts.num_blocks() == 0) return {};
      bytes *= counts.num_blocks() / ranks;
      part = static_cast<double>(counts.moved()) / counts.num_blocks();
      break;
    }
    default:
      bytes *= ranks;
      part = (ranks - 1) / ranks;
  }
  const double rate = bytes / seconds / 1e9;
  return {rate, rate * part};
}

std::string to_text(const Bandwidth& bandwidth) {
  const auto text = [](double rate) {
    if (rate >= 1e-3 || rate == 0) return fmt::format("{:.3g} GB/s", rate);
    return rate >= 1e-6 ? fmt::format("{:.3g} MB/s", rate * 1e3) : fmt::format("{:.3g} kB/s", rate * 1e6);
  };
  return fmt::format("{}, on the bus {}", text(bandwidth.algorithm), text(bandwidth.bus));
}

std::string elements_text(const Problem& problem, uint64_t message_bytes, const JobOptions& options) {
  const uint64_t size = element_bytes(*options.elements);
  const uint32_t pieces = problem.collective().pieces();
  const uint64_t there = options.block_bytes * pieces;
  std::string out = fmt::format("{} of {}, {}", with_thousands((message_bytes + size - 1) / size),
                                to_text(options.elements->type), to_text(options.elements->op));
  if (!commutes(options.elements->op)) out += " in the order of the ranks";
  if (pieces > 1)
    out +=
        fmt::format("; {} chunks of {}", with_thousands(pieces), with_thousands(options.block_bytes / size));
  if (there > message_bytes) out += fmt::format(" (padded by {})", plural(there - message_bytes, "byte"));
  return out;
}

std::string error_text(const Elements& elements, const JobResult& result) {
  if (!commutes(elements.op) && !is_rounded(elements))
    return "none is allowed: in the order of the ranks all groupings give these bits";
  if (!is_rounded(elements)) return "none is allowed: every order gives these bits";
  return fmt::format("at most {:.2g} % of what rounding may do in the worst order", 100 * result.error);
}

InputError combines_nothing(std::string_view collective) {
  return InputError(fmt::format(
      "--type and --op: {} combines nothing; they are for reduce, reduce_scatter and allreduce", collective));
}

void require_elements(const Problem& problem, const JobOptions& options) {
  if (!options.elements) return;
  const Elements& elements = *options.elements;
  require_sense(elements);
  if (problem.collective().flow() != Flow::kCombine) throw combines_nothing(problem.collective().name());
  if (!commutes(elements.op) && problem.model().combining != Operator::kOrdered) {
    throw InputError(fmt::format(
        "--op {} does not commute, and this plan need not combine ranks in order (rule ranks_in_order): "
        "it has to be one for --operator ordered",
        to_text(elements.op)));
  }
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

void require_countable(uint64_t blocks, const JobOptions& options) {
  if (options.block_bytes <= UINT64_MAX / std::max(blocks, uint64_t{1})) return;
  throw InputError(
      fmt::format("{} blocks of {} bytes are too many bytes to count", blocks, options.block_bytes));
}

JobResult measure_job(const Program& program, const JobOptions& options) {
  JobResult result;
  const uint64_t sent = program.blocks_sent();
  const uint64_t local = program.blocks_moved_locally();
  uint32_t scratch = 0;
  for (const RankProgram& rank : program.ranks) scratch = std::max(scratch, rank.scratch_slots);
  require_countable(std::max({sent, local, uint64_t{scratch}}), options);
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
  const Reduction& reduction = options.elements ? reduction_of(*options.elements) : kSumBytes;
  Executor executor(program.ranks[index(rank)], options.block_bytes, reduction);
  std::vector<std::byte> input(executor.input_bytes());
  std::vector<std::byte> output(executor.output_bytes());
  RankResult result;
  try {
    for (uint32_t i = 0; i < options.iterations; ++i) {
      if (options.elements) {
        fill_elements(layout, rank, options.block_bytes, i, *options.elements, input);
        spoil_elements(output);
      } else {
        fill_input(layout, rank, options.block_bytes, i, input);
        spoil_output(layout, rank, options.block_bytes, i, output);
      }
      transport.barrier();
      const Clock::time_point start = Clock::now();
      executor.run(transport, input, output);
      transport.barrier();
      result.times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      result.bytes_checked += output.size();
      if (options.elements) {
        const ElementErrors found =
            check_elements(layout, rank, options.block_bytes, i, *options.elements, output);
        result.wrong_bytes += found.wrong * element_bytes(*options.elements);
        result.error = std::max(result.error, found.error);
      } else {
        result.wrong_bytes += count_wrong_bytes(layout, rank, options.block_bytes, i, output);
      }
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
  require_elements(schedule.problem(), options);
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
    result.error = std::max(result.error, rank.error);
    result.times.resize(rank.times.size(), 0);
    for (size_t i = 0; i < rank.times.size(); ++i) result.times[i] = std::max(result.times[i], rank.times[i]);
  }
  result.seconds = std::accumulate(result.times.begin(), result.times.end(), 0.0);
  return result;
}

}  // namespace quadrille
