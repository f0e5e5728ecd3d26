// Goal: alltoall of 1 MiB blocks on 16 threads moves its bytes at half of memcpy's speed or better.
//
// Both benchmarks have 16 threads and the same buffers; compare their bytes_per_second. The executor's counts
// what the schedule sends between ranks and what ranks copy themselves.
#include <benchmark/benchmark.h>

#include <barrier>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/runtime/executor.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/test_pattern.h"
#include "quadrille/runtime/thread_transport.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Schedule alltoall_on_torus() {
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall,
                                           {.send = kOnePort, .receive = kOnePort});
  Plan plan;
  choose_algorithm(problem).generate(plan);
  Verification judged = verify(problem, std::move(plan));
  if (!judged.schedule) throw std::logic_error(to_text(judged.verdict.findings.front()));
  return *std::move(judged.schedule);
}

// Runs a phase on all ranks over and over, under the benchmark's clock. Setting up is not timed.
template <typename SetUp>
void repeat_on_threads(benchmark::State& state, uint32_t ranks, const SetUp& set_up) {
  std::barrier gate(static_cast<ptrdiff_t>(ranks) + 1);
  bool more = true;
  std::thread runner([&] {
    run_threads(ranks, [&](Transport& transport) {
      const std::function<void()> phase = set_up(transport);
      gate.arrive_and_wait();
      while (true) {
        gate.arrive_and_wait();
        if (!more) return;
        phase();
        gate.arrive_and_wait();
      }
    });
  });
  gate.arrive_and_wait();
  for (auto _ : state) {
    gate.arrive_and_wait();
    gate.arrive_and_wait();
  }
  more = false;
  gate.arrive_and_wait();
  runner.join();
}

void BM_AlltoallOnThreads(benchmark::State& state) {
  const auto block_bytes = static_cast<size_t>(state.range(0));
  const Program program = checked_program(alltoall_on_torus());
  const auto ranks = static_cast<uint32_t>(program.ranks.size());
  const BufferLayout layout(program.collective);
  std::vector<std::vector<std::byte>> inputs(ranks);
  std::vector<std::vector<std::byte>> outputs(ranks);
  repeat_on_threads(state, ranks, [&](Transport& transport) {
    const Rank rank = transport.rank();
    auto executor = std::make_shared<Executor>(program.ranks[index(rank)], block_bytes);
    std::vector<std::byte>& input = inputs[index(rank)];
    std::vector<std::byte>& output = outputs[index(rank)];
    input.resize(executor->input_bytes());
    output.resize(executor->output_bytes());
    fill_input(layout, rank, block_bytes, 0, input);
    return [&transport, executor, &input, &output] { executor->run(transport, input, output); };
  });
  for (uint32_t r = 0; r < ranks; ++r) {
    if (count_wrong_bytes(layout, Rank{r}, block_bytes, 0, outputs[r]) > 0)
      state.SkipWithError("wrong bytes");
  }
  const uint64_t blocks = program.blocks_sent() + program.blocks_moved_locally();
  state.SetBytesProcessed(static_cast<int64_t>(blocks * block_bytes) * state.iterations());
  state.counters["messages"] = benchmark::Counter(
      static_cast<double>(program.num_messages()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}
BENCHMARK(BM_AlltoallOnThreads)
    ->Arg(1 << 20)
    ->Arg(1 << 14)
    ->Arg(64)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// The yardstick: every thread copies the blocks of its input to its output.
void BM_MemcpyOnThreads(benchmark::State& state) {
  const auto block_bytes = static_cast<size_t>(state.range(0));
  constexpr uint32_t kRanks = 16;
  repeat_on_threads(state, kRanks, [&](Transport&) {
    auto input = std::make_shared<std::vector<std::byte>>(kRanks * block_bytes, std::byte{1});
    auto output = std::make_shared<std::vector<std::byte>>(kRanks * block_bytes);
    return [input, output, block_bytes] {
      for (size_t at = 0; at < input->size(); at += block_bytes) {
        std::memcpy(output->data() + at, input->data() + at, block_bytes);
      }
      benchmark::ClobberMemory();
    };
  });
  state.SetBytesProcessed(static_cast<int64_t>(kRanks * kRanks * block_bytes) * state.iterations());
}
BENCHMARK(BM_MemcpyOnThreads)
    ->Arg(1 << 20)
    ->Arg(1 << 14)
    ->Arg(64)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
