// How long all bounds of a problem take together.
#include "quadrille/bounds/bound.h"

#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void bounds_of_alltoall(benchmark::State& state, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                                           {.send = kOnePort, .receive = kOnePort});
  for (auto _ : state) benchmark::DoNotOptimize(all_bounds(problem));
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(bounds_of_alltoall, torus_64_64, "torus(64,64)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bounds_of_alltoall, mesh_64_64, "mesh(64,64)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bounds_of_alltoall, fat_tree_1024, "fat_tree(2^10;exponential)")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
