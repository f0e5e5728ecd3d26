// How fast allgather plans are made, in transfers per second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_flooding;
extern const Algorithm allgather_ring;
extern const Algorithm allgather_wide_swarm;
}  // namespace algorithms

namespace {

void generate_allgather(benchmark::State& state, const Algorithm& card, const std::string& spec) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAllgather);
  uint64_t transfers = 0;
  for (auto _ : state) {
    CountingSink count;
    card.plan_for(problem)->generate(count);
    transfers += count.transfers();
  }
  state.SetItemsProcessed(static_cast<int64_t>(transfers));
}

BENCHMARK_CAPTURE(generate_allgather, flooding_torus_32_32, algorithms::allgather_flooding, "torus(32,32)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_allgather, ring_torus_32_32, algorithms::allgather_ring, "torus(32,32)")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate_allgather, wide_swarm_random_512, algorithms::allgather_wide_swarm,
                  "random_regular(512,6;1)")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
