// How fast plans of worms are made, and made and judged as they stream by. A total exchange is counted in
// blocks delivered a second, a broadcast in nodes informed a second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/compile/choice.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_wormhole_balanced;
}  // namespace algorithms

namespace {

Model worms(Ports ports) {
  Model model;
  model.switching = Switching::kWormhole;
  model.send = model.receive = ports;
  return model;
}

void count(benchmark::State& state, const char* what, uint64_t each) {
  state.counters[what] = benchmark::Counter(
      static_cast<double>(each) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Choosing a member of the front, too.
void plan_exchange(benchmark::State& state, const char* spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, worms(kOnePort));
  for (auto _ : state) {
    CountingSink sink;
    choose_algorithm(problem).generate(sink);
    benchmark::DoNotOptimize(sink.transfers());
  }
  count(state, "blocks/s", problem.collective().num_blocks());
}
BENCHMARK_CAPTURE(plan_exchange, torus_32_32, "torus(32,32)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_exchange, torus_16_16_16, "torus(16,16,16)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_exchange, mesh_32_32, "mesh(32,32)")->Unit(benchmark::kMillisecond);

// Whole paths packed into steps, on a network without a structure.
void pack_exchange(benchmark::State& state, const Algorithm& card) {
  const Problem problem =
      standard_problem(parse_topology("random_regular(200,4;1)"), CollectiveKind::kAlltoall, worms(kOnePort));
  for (auto _ : state) {
    CountingSink sink;
    card.prepare(problem).plans.front()->generate(sink);
    benchmark::DoNotOptimize(sink.transfers());
  }
  count(state, "blocks/s", problem.collective().num_blocks());
}
BENCHMARK_CAPTURE(pack_exchange, shortest_ways, algorithms::alltoall_direct)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pack_exchange, balanced_paths, algorithms::alltoall_wormhole_balanced)
    ->Unit(benchmark::kMillisecond);

void judge_exchange(benchmark::State& state, const char* spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, worms(kOnePort));
  const Choice choice = choose_algorithm(problem);
  for (auto _ : state) {
    Judge judge(problem);
    choice.generate(judge);
    if (!judge.finish().passed()) state.SkipWithError("the plan must pass");
  }
  count(state, "blocks/s", problem.collective().num_blocks());
}
BENCHMARK_CAPTURE(judge_exchange, torus_32_32, "torus(32,32)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(judge_exchange, mesh_32_32, "mesh(32,32)")->Unit(benchmark::kMillisecond);

void plan_broadcast(benchmark::State& state, const char* spec) {
  const Problem problem =
      standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, worms(kAllPorts));
  for (auto _ : state) {
    CountingSink sink;
    choose_algorithm(problem, 1, UINT64_MAX).generate(sink);
    benchmark::DoNotOptimize(sink.transfers());
  }
  count(state, "nodes/s", problem.topology().num_nodes());
}
BENCHMARK_CAPTURE(plan_broadcast, torus_128_128, "torus(128,128)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_broadcast, torus_32_32_32, "torus(32,32,32)")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
