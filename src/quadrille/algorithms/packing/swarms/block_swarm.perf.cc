// How fast swarms are found, in transfers per second: an allgather, and a broadcast in pieces, with one port.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void swarm(benchmark::State& state, const std::string& spec, CollectiveKind kind, uint32_t pieces) {
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = standard_problem(parse_topology(spec), kind, one_port, NodeId{0}, pieces);
  uint64_t transfers = 0;
  for (auto _ : state) {
    CountingSink count;
    swarm_blocks(problem, swarm_at_least(problem)).replay(count);
    transfers += count.transfers();
  }
  state.SetItemsProcessed(static_cast<int64_t>(transfers));
}

BENCHMARK_CAPTURE(swarm, allgather_random_256, "random_regular(256,4;1)", CollectiveKind::kAllgather, 1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(swarm, broadcast_random_256, "random_regular(256,4;1)", CollectiveKind::kBroadcast, 64)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
