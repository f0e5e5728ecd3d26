// How fast the exact and the heuristic single-source plans of packets are made, in nodes served a second.
#include <benchmark/benchmark.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_search;
extern const Algorithm broadcast_torus;
extern const Algorithm broadcast_urgent;
extern const Algorithm scatter_balanced_tree;
extern const Algorithm scatter_flow;
extern const Algorithm scatter_torus;
}  // namespace algorithms

namespace {

void make_plan(benchmark::State& state, const Algorithm& card, const char* spec, bool one_port) {
  Model model;
  if (one_port) model.send = model.receive = kOnePort;
  const Problem problem = standard_problem(parse_topology(spec), card.collective, model);
  for (auto _ : state) {
    CountingSink sink;
    card.plan_for(problem)->generate(sink);
    benchmark::DoNotOptimize(sink.transfers());
  }
  state.counters["nodes/s"] = benchmark::Counter(
      static_cast<double>(problem.topology().num_nodes()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

#define QUADRILLE_BENCHMARK(name, card, spec, one_port) \
  BENCHMARK_CAPTURE(make_plan, name, algorithms::card, spec, one_port)->Unit(benchmark::kMillisecond)
QUADRILLE_BENCHMARK(scatter_by_flow, scatter_flow, "torus(12,12)", false);
QUADRILLE_BENCHMARK(scatter_over_balanced_trees, scatter_balanced_tree, "torus(64,64)", false);
QUADRILLE_BENCHMARK(scatter_on_torus, scatter_torus, "torus(64,64)", false);
QUADRILLE_BENCHMARK(broadcast_by_search, broadcast_search, "torus(7,9)", true);
QUADRILLE_BENCHMARK(broadcast_urgent, broadcast_urgent, "torus(64,64)", true);
QUADRILLE_BENCHMARK(broadcast_torus, broadcast_torus, "torus(64,64)", true);
#undef QUADRILLE_BENCHMARK

}  // namespace
}  // namespace quadrille
