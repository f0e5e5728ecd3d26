#include "quadrille/sim/uncontended_worms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
}  // namespace algorithms

namespace uncontended_worms_test {
namespace {

using ::quadrille::testing::made_by;

PlanSynchronisation signals_of(const Schedule& schedule) {
  return stated(synchronise(schedule, {}), {}, StateAs::kSignals);
}

TEST(UncontendedWorms, TakeWhatFlitsTakeWhereNobodyCompetes) {
  for (const char* spec : {"mesh(4,4)", "mesh(3,5)", "mesh(2,4)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    const Traffic traffic = traffic_of(schedule, {.block_bytes = 5, .flit_bytes = 1});
    for (const bool barriers : {true, false}) {
      WormRun run;
      run.synchronisation = barriers ? NodeTurns::barriers_everywhere(traffic.steps) : signals_of(schedule);
      UncontendedWorms worms(traffic, {}, run.synchronisation);
      for (uint64_t seed = 1; seed <= 5; ++seed) {
        run.stalls = {.most = static_cast<uint32_t>(60 * (seed - 1)), .seed = seed};
        const UncontendedWorms::Run fast = worms.run(run.stalls);
        ASSERT_FALSE(fast.first_conflict) << spec;
        const WormResult flits = simulate_worms(traffic, {}, run);
        ASSERT_TRUE(std::ranges::equal(worms.delivered(), flits.delivered)) << spec << " seed " << seed;
        ASSERT_EQ(flits.contention(), 0U);
        ASSERT_EQ(fast.cycles, flits.cycles);
      }
    }
  }
}

TEST(UncontendedWorms, BarriersAddUpTheLongestWormOfEachStep) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 64, .flit_bytes = 1});
  const WormParameters p{.buffer = 9, .router_delay = 2, .link_delay = 3};
  std::vector<uint64_t> longest(traffic.steps, 0);
  for (const TrafficMessage& m : traffic.messages)
    longest[m.step] = std::max(longest[m.step], p.zero_load(traffic.length(m), m.flits));
  uint64_t sum = 0;
  for (const uint64_t cycles : longest) sum += cycles;
  UncontendedWorms worms(traffic, p, NodeTurns::barriers_everywhere(traffic.steps));
  const UncontendedWorms::Run run = worms.run({});
  EXPECT_EQ(run.cycles, sum);
  EXPECT_FALSE(run.first_conflict);
}

TEST(UncontendedWorms, AreExactUpToTheFirstConflict) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 9, .flit_bytes = 1});
  UncontendedWorms worms(traffic, {}, {});
  uint32_t with_conflicts = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    WormRun run;
    run.stalls = {.most = 100, .seed = seed};
    const UncontendedWorms::Run fast = worms.run(run.stalls);
    const WormResult flits = simulate_worms(traffic, {}, run);
    ASSERT_EQ(fast.first_conflict.has_value(), flits.contention() > 0) << seed;
    if (!fast.first_conflict) continue;
    ++with_conflicts;
    for (size_t m = 0; m < traffic.messages.size(); ++m) {
      if (worms.delivered()[m] > *fast.first_conflict) continue;
      ASSERT_EQ(worms.delivered()[m], flits.delivered[m]) << seed;
    }
  }
  EXPECT_GT(with_conflicts, 0U);
}

// Seeds with contention among so many, or only whether there is one.
uint32_t bad_seeds(const Traffic& traffic, const PlanSynchronisation& sync, uint64_t seeds, uint32_t stall,
                   bool all = true) {
  UncontendedWorms worms(traffic, {}, sync);
  uint32_t bad = 0;
  for (uint64_t seed = 1; seed <= seeds && (all || bad == 0); ++seed) {
    const UncontendedWorms::Run run = worms.run({.most = stall, .seed = seed});
    EXPECT_TRUE(run.finished);
    if (run.first_conflict) ++bad;
  }
  return bad;
}

TEST(UncontendedWorms, SignalsKeepStepsApartHoweverNodesStallAndNoneCanBeLeftOut) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(4,4)");
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 4, .flit_bytes = 1});
  const PlanSynchronisation signals = signals_of(schedule);
  EXPECT_EQ(bad_seeds(traffic, signals, 200, 60), 0U);
  ASSERT_GT(signals.signals.size(), 16U);
  for (size_t dropped = 0; dropped < signals.signals.size(); dropped += 16) {
    PlanSynchronisation rest = signals;
    rest.signals.erase(rest.signals.begin() + static_cast<std::ptrdiff_t>(dropped));
    EXPECT_GT(bad_seeds(traffic, rest, 300, 60, false), 0U) << dropped;
  }
  EXPECT_GT(bad_seeds(traffic, {}, 10, 60), 5U);
}

TEST(UncontendedWormsSlow, TenThousandSeedsOfAMeshOfEightByEight) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "mesh(8,8)");
  const Traffic traffic = traffic_of(schedule, {.block_bytes = 8, .flit_bytes = 1});
  const PlanSynchronisation signals = signals_of(schedule);
  EXPECT_EQ(bad_seeds(traffic, signals, 10'000, 300), 0U);
  // What a single signal keeps apart meets in few seeds, and the rarest in none of these.
  uint32_t seen = 0;
  for (size_t i = 0; i < 20; ++i) {
    PlanSynchronisation rest = signals;
    rest.signals.erase(rest.signals.begin() + static_cast<std::ptrdiff_t>(i * signals.signals.size() / 20));
    seen += bad_seeds(traffic, rest, 1000, 300, false);
  }
  EXPECT_GE(seen, 19U);
}

}  // namespace
}  // namespace uncontended_worms_test
}  // namespace quadrille
