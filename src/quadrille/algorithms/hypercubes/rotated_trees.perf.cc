// How fast pieces go down rotated trees, in transfers made a second.
#include <benchmark/benchmark.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_rotated_trees;
}  // namespace algorithms

namespace {

void rotated_trees(benchmark::State& state, const char* spec, Ports ports) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast,
                                           {.send = ports, .receive = ports}, NodeId{0}, 64);
  uint64_t transfers = 0;
  for (auto _ : state) {
    CountingSink sink;
    algorithms::broadcast_rotated_trees.plan_for(problem)->generate(sink);
    transfers += sink.transfers();
  }
  state.counters["transfers/s"] =
      benchmark::Counter(static_cast<double>(transfers), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(rotated_trees, one_port, "hypercube(14)", kOnePort)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rotated_trees, three_ports, "hypercube(14)", Ports{3})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
