// How fast bipartite multigraphs are coloured, in edges per second.
#include <benchmark/benchmark.h>

#include "quadrille/algorithms/packing/colouring/edge_colouring.h"
#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// Arguments: vertices on each side, degree. 6 vertices with thousands of edges are the open shop of a torus
// of three dimensions; 512 with 512 is what crossbars and rounds of products ask for.
void colour_regular_graph(benchmark::State& state) {
  const auto n = static_cast<uint32_t>(state.range(0));
  const auto degree = static_cast<uint32_t>(state.range(1));
  Rng rng(1);
  std::vector<BipartiteEdge> edges;
  std::vector<uint32_t> permutation(n);
  for (uint32_t v = 0; v < n; ++v) permutation[v] = v;
  for (uint32_t k = 0; k < degree; ++k) {
    rng.shuffle(permutation);
    for (uint32_t v = 0; v < n; ++v) edges.push_back({v, permutation[v]});
  }
  for (auto _ : state) benchmark::DoNotOptimize(edge_colouring(n, n, edges));
  state.counters["edges/s"] =
      benchmark::Counter(static_cast<double>(edges.size() * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(colour_regular_graph)
    ->ArgNames({"vertices", "degree"})
    ->Args({6, 8192})
    ->Args({6, 8191})
    ->Args({512, 512})
    ->Args({512, 511})
    ->Args({4096, 31})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
