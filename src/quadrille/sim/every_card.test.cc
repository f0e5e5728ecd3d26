// What every card plans, simulated: under barriers it takes its closed form, to the cycle and flit by flit; with the signals that are found
// for it no two worms ever meet, however nodes stall; and with one of them left out some do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <unordered_set>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/sim/simulation.h"
#include "quadrille/sim/uncontended_worms.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace every_card_test {
namespace {

using ::quadrille::testing::judged;

struct Sweep {
  uint32_t schedules = 0;
  std::unordered_set<std::string> seen{};
  uint32_t with_signals = 0;
  uint64_t signals = 0;
  uint64_t dropped = 0;       // signals that were left out, one at a time
  uint64_t dropped_seen = 0;  // and missed: worms met
};

// Whatever is sent takes what its formula says, and no more.
void expect_closed_form(const Traffic& traffic, const std::string& what) {
  const WormParameters p;
  std::vector<uint64_t> longest(traffic.steps, 0);
  for (const TrafficMessage& m : traffic.messages)
    longest[m.step] = std::max(longest[m.step], p.zero_load(traffic.length(m), m.flits));
  uint64_t sum = 0;
  for (const uint64_t cycles : longest) sum += cycles;
  WormRun run;
  run.synchronisation = NodeTurns::barriers_everywhere(traffic.steps);
  const WormResult flits = simulate_worms(traffic, p, run);
  EXPECT_EQ(flits.cycles, sum) << what;
  EXPECT_EQ(flits.contention(), 0U) << what;
  UncontendedWorms worms(traffic, p, run.synchronisation);
  const UncontendedWorms::Run whole = worms.run({});
  EXPECT_FALSE(whole.first_conflict) << what;
  EXPECT_TRUE(std::ranges::equal(worms.delivered(), flits.delivered)) << what;
}

// On both cores; ends soon after the first seed with which they do.
bool meet(const Traffic& traffic, const PlanSynchronisation& sync, uint64_t seeds, uint32_t stall) {
  std::atomic<bool> met = false;
  std::atomic<bool> finished = true;
  constexpr uint64_t kPart = 250;
  const auto part = [&](size_t i) {
    if (met) return;
    UncontendedWorms worms(traffic, {}, sync);
    for (uint64_t seed = kPart * i + 1; seed <= std::min(seeds, kPart * (i + 1)) && !met; ++seed) {
      const UncontendedWorms::Run run = worms.run({.most = stall, .seed = seed});
      if (!run.finished) finished = false;
      if (run.first_conflict) met = true;
    }
  };
  if (seeds <= kPart) {
    part(0);
  } else {
    ThreadTeam(2).for_each((seeds + kPart - 1) / kPart, part);
  }
  EXPECT_TRUE(finished);
  return met;
}

// What is simulated, in bytes: several cards make the same plan, and one card makes it for several models.
std::string fingerprint(const Traffic& traffic, const PlanSynchronisation& sync) {
  std::string out = traffic.network.name();
  const auto add = [&out](auto... numbers) { ((out += std::to_string(numbers) + ' '), ...); };
  for (const TrafficMessage& m : traffic.messages) {
    add(index(m.source), index(m.destination), m.step, m.flits);
    for (uint64_t i = m.path; !traffic.hops[i].is_end(); ++i) add(traffic.hops[i].position());
  }
  add(traffic.send_ports(NodeId{0}), traffic.receive_ports(NodeId{0}));
  for (const Signal& s : sync.signals) add(index(s.from), s.after_step, index(s.to), s.before_step);
  return out;
}

void try_signals(const Traffic& traffic, const PlanSynchronisation& signals, uint64_t seeds,
                 size_t most_dropped, const std::string& what, Sweep& sweep) {
  sweep.signals += signals.signals.size();
  uint32_t longest = 1;
  for (const TrafficMessage& m : traffic.messages) longest = std::max(longest, m.flits);
  EXPECT_FALSE(meet(traffic, signals, seeds, 4 * longest)) << what;
  if (signals.signals.empty()) return;
  ++sweep.with_signals;
  const size_t every = std::max<size_t>(1, signals.signals.size() / most_dropped);
  for (size_t i = 0; i < signals.signals.size(); i += every) {
    PlanSynchronisation rest = signals;
    rest.signals.erase(rest.signals.begin() + static_cast<std::ptrdiff_t>(i));
    ++sweep.dropped;
    if (meet(traffic, rest, std::min<uint64_t>(10 * seeds, 2'000), 8 * longest)) ++sweep.dropped_seen;
  }
}

Sweep sweep_cards(std::initializer_list<const char*> specs, uint64_t seeds, size_t most_dropped) {
  Sweep sweep;
  for (const char* spec : specs) {
    const Topology network = parse_topology(spec);
    for (const Algorithm* card : algorithm_catalog()) {
      if (std::ranges::find(kCollectiveKinds, card->collective) == kCollectiveKinds.end()) continue;
      for (const Switching switching : {Switching::kWormhole, Switching::kPacket}) {
        for (const Ports ports : {kOnePort, kAllPorts}) {
          Model model;
          model.send = model.receive = ports;
          model.switching = switching;
          const Problem problem = standard_problem(network, card->collective, model);
          const Preparation prepared = prepare(*card, problem);
          if (prepared.plans.empty()) continue;
          Plan plan;
          prepared.plans.front()->generate(plan);
          const Schedule schedule = judged(problem, std::move(plan));
          const std::string what = std::string(card->name) + " on " + spec;
          const Traffic traffic = traffic_of(schedule, {.block_bytes = 8, .flit_bytes = 2});
          ++sweep.schedules;
          const PlanSynchronisation signals = stated(synchronise(schedule, {}), {}, StateAs::kSignals);
          if (!sweep.seen.insert(fingerprint(traffic, signals)).second) continue;
          expect_closed_form(traffic, what);
          try_signals(traffic, signals, seeds, most_dropped, what, sweep);
        }
      }
    }
  }
  return sweep;
}

TEST(EveryCard, TakesItsClosedFormAndItsSignalsKeepWormsApart) {
  const Sweep sweep = sweep_cards({"ring(5)", "mesh(2,3)"}, 20, 2);
  EXPECT_GT(sweep.schedules, 100U);
  EXPECT_GT(sweep.with_signals, 20U);
  EXPECT_GT(sweep.dropped_seen, sweep.dropped / 2);
  EXPECT_GT(sweep.seen.size(), 50U);
  RecordProperty("schedules", static_cast<int>(sweep.schedules));
  RecordProperty("signals", static_cast<int>(sweep.signals));
}

TEST(EveryCardSlow, TenThousandSeeds) {
  const Sweep sweep =
      sweep_cards({"ring(8)", "mesh(4,4)", "torus(4,4)", "hypercube(3)", "mesh(3,4)"}, 10'000, 3);
  EXPECT_GT(sweep.with_signals, 100U);
  EXPECT_GT(sweep.dropped_seen, sweep.dropped / 2);
}

}  // namespace
}  // namespace every_card_test
}  // namespace quadrille
