// How fast ways of all pairs are balanced, in hops of their ways a second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void pair_ways(benchmark::State& state, const std::string& spec) {
  const Topology net = parse_topology(spec);
  const uint64_t hops = hops_of_all_pairs(net);
  uint64_t done = 0;
  for (auto _ : state) {
    const PairWays ways(net);
    benchmark::DoNotOptimize(ways.rounds());
    done += hops;
  }
  state.SetItemsProcessed(static_cast<int64_t>(done));
}

BENCHMARK_CAPTURE(pair_ways, mesh_16_16, "mesh(16,16)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair_ways, torus_32_32, "torus(32,32)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair_ways, random_1024, "random_regular(1024,6;1)")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
