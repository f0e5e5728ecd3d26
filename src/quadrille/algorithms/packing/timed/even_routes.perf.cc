// How fast even routes are found, in hops of all pairs that are looked at a second, and put into steps, in hops a second.
#include <benchmark/benchmark.h>

#include <string>

#include "quadrille/algorithms/packing/timed/orbit_schedule.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void even_routes(benchmark::State& state, const std::string& spec) {
  const Topology net = parse_topology(spec);
  const Mirrors mirrors(net);
  const OrbitLinks links(net, mirrors);
  uint64_t hops = 0;
  for (auto _ : state) {
    const EvenRoutes routes(net, mirrors, links, kOnePort, kOnePort);
    for (const uint64_t load : routes.loads()) hops += load;
  }
  state.SetItemsProcessed(static_cast<int64_t>(hops));
}

void orbit_schedule(benchmark::State& state, const std::string& spec) {
  const Topology net = parse_topology(spec);
  const Mirrors mirrors(net);
  const OrbitLinks links(net, mirrors);
  const EvenRoutes routes(net, mirrors, links, kOnePort, kOnePort);
  uint64_t hops = 0;
  for (auto _ : state) hops += schedule_orbits(routes, mirrors, links, kOnePort, kOnePort).moves.size();
  state.SetItemsProcessed(static_cast<int64_t>(hops));
}

BENCHMARK_CAPTURE(even_routes, mesh_16_16, "mesh(16,16)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(even_routes, random_256, "random_regular(256,4;1)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(orbit_schedule, mesh_16_16, "mesh(16,16)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(orbit_schedule, random_256, "random_regular(256,4;1)")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
