#include "quadrille/sim/beside_formula.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/sim/simulation.h"

namespace quadrille {
namespace {

// Messages are sorted by source; of each step they are gone through together.
std::vector<std::vector<uint32_t>> by_step(const Traffic& traffic) {
  std::vector<std::vector<uint32_t>> out(traffic.steps);
  for (uint32_t i = 0; i < traffic.messages.size(); ++i) out[traffic.messages[i].step].push_back(i);
  return out;
}

void add_formula(const Traffic& traffic, const WormParameters& parameters, BesideFormula& out) {
  const Topology& network = traffic.network;
  std::vector<uint64_t> load(network.num_arcs(), 0);
  std::vector<ArcId> loaded;
  for (const std::vector<uint32_t>& step : by_step(traffic)) {
    uint64_t most_hops = 0;
    for (const uint32_t i : step) {
      const TrafficMessage& m = traffic.messages[i];
      NodeId here = m.source;
      uint64_t hops = 0;
      for (uint64_t at = m.path; !traffic.hops[at].is_end(); ++at, ++hops) {
        const ArcId arc = network.arcs_from(here)[traffic.hops[at].position()];
        if (load[index(arc)] == 0) loaded.push_back(arc);
        load[index(arc)] += m.flits;
        here = network.head(arc);
      }
      most_hops = std::max(most_hops, hops);
    }
    uint64_t busiest = 0;
    for (const ArcId arc : loaded) {
      const uint64_t capacity = network.capacity(arc);
      busiest = std::max(busiest, (load[index(arc)] + capacity - 1) / capacity);
      load[index(arc)] = 0;
    }
    loaded.clear();
    if (step.empty()) continue;
    out.flits += busiest;
    out.heads += most_hops * parameters.hop_delay() + parameters.router_delay - 1;
  }
}

}  // namespace

std::optional<BesideFormula> beside_formula(const Traffic& traffic, const WormParameters& parameters,
                                            double most_seconds) {
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  run.most_contentions = 0;
  const Simulation done = simulate(traffic, parameters, run, {.most_seconds = most_seconds});
  if (!done.begun) return std::nullopt;
  BesideFormula out{.cycles = done.result.cycles,
                    .contention = done.result.contention(),
                    .deadlock = done.result.deadlock.has_value()};
  if (out.deadlock) out.cycles = done.result.deadlock->cycle;
  add_formula(traffic, parameters, out);
  if (!UncontendedWorms::inexact(traffic, parameters)) {
    UncontendedWorms free(traffic, parameters, {});
    out.meets_without = free.run({}).first_conflict.has_value();
  }
  return out;
}

}  // namespace quadrille
