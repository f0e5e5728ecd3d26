// How fast the simulators are, in flit-hops a second: floods of one 8-flit message per pair, uniform traffic, and what stalls
// of a schedule cost worm by worm. A cycle in which nothing moves costs nothing in any of them: it is jumped over, which
// quiet_time shows; lonely_worm shows what one costs in which hardly anything does.
#include <benchmark/benchmark.h>

#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/sim/packet_simulator.h"
#include "quadrille/sim/simulation.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

Traffic flood(const char* spec, uint32_t flits) {
  const Topology network = parse_topology(spec);
  const uint32_t n = network.num_nodes();
  std::vector<Parcel> demands;
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t k = 1; k < n; ++k) demands.push_back({NodeId{v}, NodeId{(v + k) % n}, flits});
  }
  return traffic_of(network, demands);
}

void count(benchmark::State& state, const Traffic& traffic) {
  state.counters["flit-hops/s"] =
      benchmark::Counter(static_cast<double>(traffic.flit_hops()) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

void worms(benchmark::State& state, const Traffic& traffic) {
  for (auto _ : state) {
    const WormResult result = simulate_worms(traffic, {}, {});
    if (result.deadlock || result.flit_hops != traffic.flit_hops())
      state.SkipWithError("all flits must arrive");
    state.counters["cycles"] = static_cast<double>(result.cycles);
  }
  count(state, traffic);
}

void flood_by_worms(benchmark::State& state, const char* spec, uint32_t flits) {
  worms(state, flood(spec, flits));
}
BENCHMARK_CAPTURE(flood_by_worms, torus_8_8, "torus(8,8)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(flood_by_worms, torus_16_16, "torus(16,16)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(flood_by_worms, torus_8_8_8, "torus(8,8,8)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(flood_by_worms, torus_16_16_long, "torus(16,16)", 64)->Unit(benchmark::kMillisecond);

// Messages of 8 flits to random destinations at 30 % of what the links can carry on average: 8/n flits a node and cycle on
// a torus of sides n, where a message takes a quarter of a side in each dimension.
void uniform_by_worms(benchmark::State& state, const char* spec, uint32_t side) {
  const Topology network = parse_topology(spec);
  constexpr uint32_t kFlits = 8;
  constexpr uint64_t kCycles = 4000;
  const uint64_t every = kFlits * uint64_t{side} * 10 / (3 * 8);  // on average
  Rng rng(1);
  std::vector<Parcel> demands;
  for (const NodeId v : network.nodes()) {
    for (uint64_t t = rng.below(2 * every); t < kCycles; t += 1 + rng.below(2 * every - 1)) {
      const size_t away = 1 + rng.below(network.num_nodes() - 1);
      const auto to = static_cast<uint32_t>((index(v) + away) % network.num_nodes());
      demands.push_back({v, NodeId{to}, kFlits, 0, t});
    }
  }
  worms(state, traffic_of(network, demands));
}
BENCHMARK_CAPTURE(uniform_by_worms, torus_8_8, "torus(8,8)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(uniform_by_worms, torus_16_16, "torus(16,16)", 16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(uniform_by_worms, torus_8_8_8, "torus(8,8,8)", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(uniform_by_worms, torus_32_32, "torus(32,32)", 32)->Unit(benchmark::kMillisecond);

// Long worms on torus(16,16) that never meet: in each of 20 steps every eighth node of a line sends 50 blocks of 64 flits half-way
// round it, along x from nodes of some columns, along y in the others.
Traffic long_worms() {
  constexpr uint32_t kSide = 16;
  std::vector<Parcel> demands;
  for (uint32_t step = 0; step < 20; ++step) {
    for (uint32_t at = step % 8; at < kSide; at += 8) {
      const uint32_t opposite = (at + kSide / 2) % kSide;
      for (uint32_t line = 0; line < kSide; ++line) {
        demands.push_back({NodeId{at * kSide + line}, NodeId{opposite * kSide + line}, 50 * 64, step});
        if (line % 8 == step % 8) continue;
        demands.push_back({NodeId{line * kSide + at}, NodeId{line * kSide + opposite}, 50 * 64, step});
      }
    }
  }
  return traffic_of(parse_topology("torus(16,16)"), demands);
}

void long_by_whole_worms(benchmark::State& state) {
  const Traffic traffic = long_worms();
  for (auto _ : state) {
    UncontendedWorms worms(traffic, {}, NodeTurns::barriers_everywhere(traffic.steps));
    if (worms.run({}).first_conflict) state.SkipWithError("nobody competes");
  }
  count(state, traffic);
}
BENCHMARK(long_by_whole_worms)->Unit(benchmark::kMillisecond);

void long_by_flits(benchmark::State& state) {
  const Traffic traffic = long_worms();
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  for (auto _ : state) {
    if (simulate_worms(traffic, {}, run).contention() > 0) state.SkipWithError("nobody competes");
  }
  count(state, traffic);
}
BENCHMARK(long_by_flits)->Unit(benchmark::kMillisecond);

// One message of 20,000 flits, all else at rest.
void lonely_worm(benchmark::State& state) {
  const Parcel demand{NodeId{0}, NodeId{17}, 20'000};
  const Traffic traffic = traffic_of(parse_topology("torus(16,16)"), std::span(&demand, 1));
  uint64_t cycles = 0;
  for (auto _ : state) cycles += simulate_worms(traffic, {}, {}).evaluated;
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}
BENCHMARK(lonely_worm)->Unit(benchmark::kMicrosecond);

// A message now and one a thousand million cycles later.
void quiet_time(benchmark::State& state) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{1}, 8},
                                       {NodeId{0}, NodeId{1}, 8, 0, 1'000'000'000}};
  const Traffic traffic = traffic_of(parse_topology("torus(16,16)"), demands);
  uint64_t cycles = 0;
  for (auto _ : state) cycles += simulate_worms(traffic, {}, {}).cycles;
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}
BENCHMARK(quiet_time)->Unit(benchmark::kMicrosecond);

void flood_by_packets(benchmark::State& state, const char* spec) {
  const Traffic traffic = flood(spec, 1);
  for (auto _ : state) {
    const Simulation done = simulate_packets(traffic, {}, {});
    if (done.result.flit_hops != traffic.flit_hops()) state.SkipWithError("all packets must arrive");
  }
  count(state, traffic);
}
BENCHMARK_CAPTURE(flood_by_packets, torus_16_16, "torus(16,16)")->Unit(benchmark::kMillisecond);

// Every node to the one beside it, step after step: nobody competes.
void seeds_of_stalls(benchmark::State& state) {
  const Topology ring = parse_topology("ring(64)");
  std::vector<Parcel> demands;
  for (uint32_t step = 0; step < 32; ++step) {
    for (uint32_t v = 0; v < 64; ++v) demands.push_back({NodeId{v}, NodeId{(v + 1) % 64}, 64, step});
  }
  const Traffic traffic = traffic_of(ring, demands);
  UncontendedWorms by_worm(traffic, {}, {});
  uint64_t seed = 0;
  for (auto _ : state) {
    if (by_worm.run({.most = 300, .seed = ++seed}).first_conflict) state.SkipWithError("nobody competes");
  }
  count(state, traffic);
}
BENCHMARK(seeds_of_stalls)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace quadrille
