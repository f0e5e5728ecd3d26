// How fast alltoall plans are made, in transfers per second, when nobody keeps or reads them; and made and
// judged as they stream by.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_product;
extern const Algorithm alltoall_torus;
}  // namespace algorithms

namespace {

void generate_alltoall(benchmark::State& state, const Algorithm& card, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                                           {.send = kOnePort, .receive = kOnePort});
  uint64_t transfers = 0;
  for (auto _ : state) {
    CountingSink count;
    card.plan_for(problem)->generate(count);
    transfers += count.transfers();
  }
  state.SetItemsProcessed(static_cast<int64_t>(transfers));
}

BENCHMARK_CAPTURE(generate_alltoall, cayley_torus_16_16, algorithms::alltoall_cayley, "torus(16,16)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, cayley_torus_32_32, algorithms::alltoall_cayley, "torus(32,32)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, cayley_torus_64_64, algorithms::alltoall_cayley, "torus(64,64)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, cayley_star_6, algorithms::alltoall_cayley, "star(6)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, product_torus_32_32, algorithms::alltoall_product, "torus(32,32)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, product_mesh_32_32, algorithms::alltoall_product, "mesh(32,32)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_alltoall, direct_torus_16_16, algorithms::alltoall_direct, "torus(16,16)")
    ->Unit(benchmark::kMillisecond);

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
    algorithms::alltoall_torus.plan_for(problem)->generate(sink);
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
    algorithms::alltoall_torus.plan_for(problem)->generate(judge);
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
