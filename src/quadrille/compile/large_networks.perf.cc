// How long planning takes on networks of about 1,024 nodes: choosing, making, judging. The aim is two seconds for any of
// them; these are those that took longest, by what they are made of: layers of a mesh without a group, a million arcs,
// loans from many ports, shells of a network without structure.
#include <benchmark/benchmark.h>

#include "quadrille/compile/compile.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

void plan(benchmark::State& state, const char* spec, CollectiveKind kind, Ports ports, Switching switching) {
  const Problem problem =
      standard_problem(parse_topology(spec), kind, {.send = ports, .receive = ports, .switching = switching});
  uint64_t hops = 0;
  for (auto _ : state) {
    const Compiled made = compile(problem);
    if (!made.verdict.passed()) state.SkipWithError("the plan must pass");
    hops += made.verdict.figures.block_hops;
  }
  state.counters["hops/s"] = benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsRate);
}

using enum CollectiveKind;
using enum Switching;

#define QUADRILLE_PLAN(name, ...) \
  BENCHMARK_CAPTURE(plan, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)->UseRealTime()
QUADRILLE_PLAN(alltoall_mesh_32_32, "mesh(32,32)", kAlltoall, kOnePort, kPacket);
QUADRILLE_PLAN(alltoall_line_1024, "line(1024)", kAlltoall, kOnePort, kPacket);
QUADRILLE_PLAN(allgather_complete_1024, "complete(1024)", kAllgather, kOnePort, kPacket);
QUADRILLE_PLAN(alltoall_complete_1024, "complete(1024)", kAlltoall, kOnePort, kShared);
QUADRILLE_PLAN(scatter_hypercube_10, "hypercube(10)", kScatter, kAllPorts, kWormhole);
QUADRILLE_PLAN(allreduce_mesh_32_32, "mesh(32,32)", kAllreduce, kAllPorts, kShared);
QUADRILLE_PLAN(alltoall_generalized_hypercube_32_32, "generalized_hypercube(32,32)", kAlltoall, kAllPorts,
               kWormhole);
#undef QUADRILLE_PLAN

}  // namespace
}  // namespace quadrille
