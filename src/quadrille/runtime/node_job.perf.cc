// Goal: 256 nodes of torus(16,16) that decide for themselves move at least half of what a run of the central
// plan moves, in bytes per second.
//
// Both benchmarks make and check everything outside of the clock; compare their bytes_per_second for one size
// of block. The plan is that of the same algorithm. It loses: its ranks start, send and wait for both ends of
// every message, where a node waits only for what it hears.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/local_programs/catalog.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/node_job.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr const char* kAlgorithm = "alltoall_cayley";

Problem exchange_on_torus() {
  return standard_problem(parse_topology("torus(16,16)"), CollectiveKind::kAlltoall,
                          {.send = kOnePort, .receive = kOnePort});
}

void BM_NodesByThemselves(benchmark::State& state) {
  const Problem problem = exchange_on_torus();
  const LocalProgram& program = *local_program_catalog().find(kAlgorithm);
  uint64_t bytes = 0;
  for (auto _ : state) {
    const NodeJobResult job =
        run_nodes_on_threads(program, problem, {.block_bytes = static_cast<size_t>(state.range(0))});
    if (!job.correct()) state.SkipWithError("wrong bytes");
    bytes += job.all.bytes_sent;
    state.SetIterationTime(job.all.times.front());
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}
BENCHMARK(BM_NodesByThemselves)
    ->Arg(64)
    ->Arg(1 << 10)
    ->Arg(1 << 14)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void BM_CentralPlan(benchmark::State& state) {
  const Compiled made = compile(exchange_on_torus(), {.algorithm = kAlgorithm});
  uint64_t bytes = 0;
  for (auto _ : state) {
    const JobResult job =
        run_on_threads(*made.schedule, {.block_bytes = static_cast<size_t>(state.range(0))});
    if (!job.correct()) state.SkipWithError("wrong bytes");
    bytes += job.bytes_sent;
    state.SetIterationTime(job.seconds);
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}
BENCHMARK(BM_CentralPlan)
    ->Arg(64)
    ->Arg(1 << 10)
    ->Arg(1 << 14)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
