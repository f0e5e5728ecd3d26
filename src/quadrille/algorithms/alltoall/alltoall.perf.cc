// How fast alltoall plans are made, in transfers per second, when nobody keeps or reads them.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void generate_alltoall(benchmark::State& state, const Algorithm& card, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                                           {.send = kOnePort, .receive = kOnePort});
  uint64_t transfers = 0;
  for (auto _ : state) {
    CountingSink count;
    card.generate(problem, count);
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

}  // namespace
}  // namespace quadrille
