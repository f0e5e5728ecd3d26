// How fast plans of worms are made, and made and judged as they stream by. A total exchange is counted in
// blocks delivered a second, a broadcast in nodes informed a second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/compile/choice.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
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
