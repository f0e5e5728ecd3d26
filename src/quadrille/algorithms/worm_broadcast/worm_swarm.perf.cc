// How fast broadcasts in pieces by worms are found, in worms per second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/worm_broadcast/worm_swarm.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void worm_swarm(benchmark::State& state, const std::string& spec, uint32_t pieces) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kBroadcast,
                                           {.switching = Switching::kWormhole}, kNoNode, pieces);
  uint64_t worms = 0;
  for (auto _ : state) {
    for (const auto& step : swarm_by_worms(problem, 0, 1)) worms += step.size();
  }
  state.SetItemsProcessed(static_cast<int64_t>(worms));
}

BENCHMARK_CAPTURE(worm_swarm, torus_8_8, "torus(8,8)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worm_swarm, random_256, "random_regular(256,6;1)", 16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
