// How fast total exchanges are generated, and generated and judged as they stream by, in hops per second.
#include <benchmark/benchmark.h>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

void count_hops(benchmark::State& state, uint64_t hops) {
  state.counters["hops/s"] = benchmark::Counter(
      static_cast<double>(hops) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["hops"] = static_cast<double>(hops);
}

// Argument: side of the cube. 16: 16.8 M blocks, 201 M hops.
void generate_torus(benchmark::State& state) {
  const auto n = state.range(0);
  const Problem problem =
      standard_problem(parse_topology("torus(" + std::to_string(n) + "^3)"), CollectiveKind::kAlltoall);
  uint64_t hops = 0;
  for (auto _ : state) {
    CountingSink sink;
    algorithms::alltoall_torus.generate(problem, sink);
    hops = sink.transfers();
  }
  count_hops(state, hops);
}
BENCHMARK(generate_torus)->ArgName("side")->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond)->UseRealTime();

void generate_and_judge_torus(benchmark::State& state) {
  const auto n = state.range(0);
  const Problem problem =
      standard_problem(parse_topology("torus(" + std::to_string(n) + "^3)"), CollectiveKind::kAlltoall);
  uint64_t hops = 0;
  for (auto _ : state) {
    Judge judge(problem);
    algorithms::alltoall_torus.generate(problem, judge);
    const Verdict verdict = judge.finish();
    if (!verdict.passed()) state.SkipWithError("the plan must pass");
    hops = verdict.figures.block_hops;
  }
  count_hops(state, hops);
}
BENCHMARK(generate_and_judge_torus)
    ->ArgName("side")
    ->Arg(8)
    ->Arg(16)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace quadrille
