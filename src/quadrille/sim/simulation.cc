#include "quadrille/sim/simulation.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/sim/packed/packed_worms.h"

namespace quadrille {
namespace {

// Without a flit; nothing where worms meet.
bool without_flits(UncontendedWorms& worms, const Traffic& traffic, const WormRun& run, Simulation& out) {
  const UncontendedWorms::Run fast = worms.run(run.stalls);
  out.first_conflict = fast.first_conflict;
  if (fast.first_conflict || !fast.finished) return false;
  out.by_flits = false;
  out.result.cycles = fast.cycles;
  out.result.started.assign(worms.started().begin(), worms.started().end());
  out.result.delivered.assign(worms.delivered().begin(), worms.delivered().end());
  const Topology& network = traffic.network;
  out.result.link_flits.assign(network.num_arcs(), 0);
  for (const TrafficMessage& m : traffic.messages) {
    NodeId here = m.source;
    for (uint64_t i = m.path; !traffic.hops[i].is_end(); ++i) {
      const ArcId arc = network.arcs_from(here)[traffic.hops[i].position()];
      out.result.link_flits[index(arc)] += m.flits;
      out.result.flit_hops += m.flits;
      here = network.head(arc);
    }
  }
  return true;
}

}  // namespace

Simulation simulate(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                    const SimulationWishes& options) {
  require_sound(parameters);
  Simulation out;
  if (!options.by_flits && run.uses == nullptr && !UncontendedWorms::inexact(traffic, parameters)) {
    UncontendedWorms worms(traffic, parameters, run.synchronisation, run.costs);
    if (without_flits(worms, traffic, run, out)) return out;
  }
  const double seconds = estimated_seconds(traffic, parameters, run);
  if (seconds > options.most_seconds) {
    out.begun = false;
    return out;
  }
  if (options.before_flits) options.before_flits(seconds);
  out.result = simulate_worms(traffic, parameters, run);
  return out;
}

static void fields(auto& io, SeedOutcome& one) { io(one.cycles, one.contention, one.deadlock); }

SeedSweep sweep_seeds(const std::function<SeedRunner()>& runner, const Stalls& stalls, uint64_t seeds,
                      const Sharing& how) {
  constexpr uint64_t kPart = 64;
  const uint64_t parts = (seeds + kPart - 1) / kPart;
  const auto done = [&](size_t over, size_t /*of*/) {
    if (how.done) how.done(std::min<uint64_t>(seeds, over * kPart), seeds);
  };
  const std::vector<std::vector<SeedOutcome>> all =
      shared_parts<std::vector<SeedOutcome>>({how.threads, how.crew, done}, parts, [&](size_t part) {
        const SeedRunner run = runner();
        std::vector<SeedOutcome> out;
        const uint64_t end = std::min<uint64_t>(seeds, (part + 1) * kPart);
        for (uint64_t i = part * kPart; i < end; ++i) {
          Stalls one = stalls;
          one.seed = stalls.seed + i;
          out.push_back(run(one));
        }
        return out;
      });
  SeedSweep sweep;
  sweep.seeds = seeds;
  for (uint64_t i = 0; i < seeds; ++i) {
    const SeedOutcome& one = all[i / kPart][i % kPart];
    if (one.contention) ++sweep.with_contention;
    if (one.deadlock) ++sweep.deadlocks;
    if ((one.contention || one.deadlock) && !sweep.first_bad) sweep.first_bad = stalls.seed + i;
    sweep.least_cycles = std::min(sweep.least_cycles, one.cycles);
    sweep.most_cycles = std::max(sweep.most_cycles, one.cycles);
    sweep.mean_cycles += static_cast<double>(one.cycles) / static_cast<double>(seeds);
  }
  return sweep;
}

SeedSweep sweep_seeds(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
                      uint64_t seeds, const Sharing& how) {
  require_sound(parameters);
  const bool exact = !UncontendedWorms::inexact(traffic, parameters);
  const auto runner = [&]() -> SeedRunner {
    std::shared_ptr<UncontendedWorms> worms;
    if (exact)
      worms = std::make_shared<UncontendedWorms>(traffic, parameters, run.synchronisation, run.costs);
    return [&, worms](const Stalls& stalls) -> SeedOutcome {
      if (worms) {
        const UncontendedWorms::Run fast = worms->run(stalls);
        if (!fast.first_conflict && fast.finished) return {.cycles = fast.cycles};
      }
      WormRun one = run;
      one.stalls = stalls;
      one.most_contentions = 1;
      const WormResult result = simulate_worms(traffic, parameters, one);
      return {result.cycles, result.contention() > 0, result.deadlock.has_value()};
    };
  };
  return sweep_seeds(runner, run.stalls, seeds, how);
}

double estimated_seconds(const Traffic& traffic, const WormParameters& parameters, const WormRun& run) {
  const double flit_hops_per_second = not_packed(traffic, parameters, run) ? 10e6 : 30e6;
  return static_cast<double>(traffic.flit_hops()) / flit_hops_per_second;
}

double estimated_packet_seconds(const Traffic& traffic) {
  constexpr double kHopsPerSecond = 15e6;
  uint64_t hops = 0;
  for (const TrafficMessage& m : traffic.messages) hops += traffic.length(m);
  return static_cast<double>(hops) / kHopsPerSecond;
}

}  // namespace quadrille
