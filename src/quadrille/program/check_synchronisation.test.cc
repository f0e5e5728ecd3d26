#include "quadrille/program/check_synchronisation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/random.h"
#include "quadrille/program/interleavings.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
}  // namespace algorithms

namespace check_synchronisation_test {

using ::quadrille::testing::made_by;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Schedule read_schedule(std::string_view text) {
  PlanFile file = read_plan(text, "x.plan");
  return testing::judged(file.problem, std::move(file.plan));
}

PlanSynchronisation found(const Schedule& schedule, bool ports, StateAs as) {
  return stated(synchronise(schedule, {.ports = ports}), {.ports = ports}, as);
}

// 0 -> 2 in step 1, 1 -> 2 in step 2: nothing tells node 1 that the link is free.
constexpr std::string_view kBusyLink =
    "quadrille-plan 1\ntopology line(3)\ncollective gather root=2\nmodel switching=wormhole\n"
    "step\n0>1>2: 0-2\nstep\nstep\n1>2: 1-2\n";

TEST(CheckSynchronisation, AMissingSignalIsNamedAsTheFileWouldStateIt) {
  const Schedule schedule = read_schedule(kBusyLink);
  PlanSynchronisation sync;
  SynchronisationCheck check = check_synchronisation(schedule, sync, {});
  EXPECT_EQ(check.conflicts, 1U);
  ASSERT_THAT(check.findings, SizeIs(1));
  EXPECT_EQ(check.findings[0].step, 2U);
  EXPECT_EQ(check.findings[0].transfer, 0U);
  EXPECT_EQ(check.findings[0].message,
            "1 may start this while 0 > 2 of step 1 still holds the link 1 > 2; missing: a barrier after one "
            "of the steps 1 to 2, or signal from=2 after=1 to=1 before=3");
  sync.signals.push_back({NodeId{2}, 0, NodeId{1}, 2});
  check = check_synchronisation(schedule, sync, {});
  EXPECT_TRUE(check.passed());
  EXPECT_GT(check.states.value(), 4U);
}

TEST(CheckSynchronisation, ASignalFromEitherEndAndAtTheEmptyStepIsEnough) {
  const Schedule schedule = read_schedule(kBusyLink);
  for (const uint32_t from : {0U, 2U}) {
    for (const uint32_t after : {0U, 1U}) {
      for (const uint32_t before : {1U, 2U}) {
        if (before <= after) continue;
        const PlanSynchronisation sync{true, {}, {{NodeId{from}, after, NodeId{1}, before}}};
        EXPECT_TRUE(check_synchronisation(schedule, sync, {}).passed()) << from << after << before;
      }
    }
  }
  EXPECT_TRUE(check_synchronisation(schedule, {true, {0}, {}}, {}).passed());
  EXPECT_TRUE(check_synchronisation(schedule, {true, {1}, {}}, {}).passed());
}

TEST(CheckSynchronisation, ALaterMessageMayMeetAMoreUrgentOne) {
  const Schedule schedule = read_schedule(kBusyLink);
  const auto check = [&](std::vector<Priority> priorities) {
    return check_synchronisation(schedule, {.priorities = std::move(priorities)}, {});
  };
  EXPECT_TRUE(check({{.step = 2, .level = 2}}).passed());
  EXPECT_TRUE(check({{.step = 0, .level = 4}, {.step = 2, .level = 7}}).passed());
  EXPECT_TRUE(check({{.step = 0, .level = 2}, {2, 3, NodeId{1}, NodeId{2}}}).passed());
  for (const std::vector<Priority>& bad : {std::vector<Priority>{{.step = 0, .level = 2}},
                                           {{.step = 0, .level = 2}, {.step = 2, .level = 2}},
                                           {{.step = 1, .level = 2}},
                                           {{.step = 2, .level = 2}, {2, 1, NodeId{1}, NodeId{2}}}}) {
    const SynchronisationCheck found = check(bad);
    ASSERT_THAT(found.findings, SizeIs(1));
    EXPECT_THAT(found.findings[0].message, HasSubstr(", or priority step=3 level="));
    EXPECT_THAT(found.findings[0].message, HasSubstr(" from=1 to=2"));
  }
}

// Three worms over one link: the second waits for the first, and the third gives way to the second alone.
TEST(CheckSynchronisation, WhoGivesWayToTheLastIsNoFartherFromTheFirst) {
  const Schedule schedule = read_schedule(
      "quadrille-plan 1\ntopology line(5)\ncollective gather root=4\nmodel switching=wormhole\n"
      "step\n0>1>2>3>4: 0-4\nstep\n1>2>3>4: 1-4\nstep\n2>3>4: 2-4\nstep\n3>4: 3-4\n");
  const Signal first{NodeId{4}, 0, NodeId{1}, 1};
  const auto passes = [&](const PlanSynchronisation& sync) {
    return check_synchronisation(schedule, sync, {}).passed();
  };
  EXPECT_TRUE(passes({.signals = {first}, .priorities = {{.step = 2, .level = 2}, {.step = 3, .level = 3}}}));
  EXPECT_FALSE(
      passes({.signals = {first},
              .priorities = {{.step = 0, .level = 2}, {.step = 2, .level = 2}, {.step = 3, .level = 3}}}));
  EXPECT_FALSE(passes({.signals = {first}, .priorities = {{.step = 2, .level = 2}}}));
}

TEST(CheckSynchronisation, AReceiverThatHadToWaitForASignalTellsWhatItHeard) {
  // Node 3 waits for node 0's first step before it receives; then it is node 3 that tells node 1.
  const Schedule schedule = read_schedule(
      "quadrille-plan 1\ntopology line(5)\ncollective gather root=2\nmodel switching=wormhole\n"
      "step\n0>1>2: 0-2\nstep\n4>3: 4-2\nstep\n1>2: 1-2\n3>2: 3-2 4-2\n");
  const Signal first{NodeId{0}, 0, NodeId{3}, 1};
  const Signal second{NodeId{3}, 1, NodeId{1}, 2};
  EXPECT_TRUE(check_synchronisation(schedule, {true, {}, {first, second}}, {}).passed());
  EXPECT_TRUE(check_synchronisation(schedule, {true, {}, {second, first}}, {}).passed());
  EXPECT_FALSE(check_synchronisation(schedule, {true, {}, {second}}, {}).passed());
}

TEST(CheckSynchronisation, WhatIsFoundIsEnoughAndWithoutAnySignalOrBarrierItIsNot) {
  for (const std::string_view spec : {"line(4)", "mesh(2,3)", "mesh(4,4)", "mesh(3,5)"}) {
    for (const bool ports : {true, false}) {
      const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
      for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities}) {
        const PlanSynchronisation good = found(schedule, ports, as);
        const SynchronisationCheck check = check_synchronisation(schedule, good, {});
        EXPECT_TRUE(check.passed());
        EXPECT_EQ(check.conflicts, synchronise(schedule, {.ports = ports}).conflicts);
        for (size_t i = 0; i < good.signals.size(); ++i) {
          PlanSynchronisation less = good;
          less.signals.erase(less.signals.begin() + static_cast<ptrdiff_t>(i));
          EXPECT_FALSE(check_synchronisation(schedule, less, {}).passed()) << spec << " without signal " << i;
        }
        for (size_t i = 0; i < good.barriers.size(); ++i) {
          PlanSynchronisation less = good;
          less.barriers.erase(less.barriers.begin() + static_cast<ptrdiff_t>(i));
          EXPECT_FALSE(check_synchronisation(schedule, less, {}).passed())
              << spec << " without barrier " << i;
        }
      }
    }
  }
}

// A signal moved, dropped or added, or a barrier.
PlanSynchronisation changed(PlanSynchronisation sync, size_t nodes, uint32_t steps, Rng& rng) {
  const auto random_signal = [&] {
    const auto from = static_cast<uint32_t>(rng.below(nodes));
    const auto to = static_cast<uint32_t>((from + 1 + rng.below(nodes - 1)) % nodes);
    const auto before = static_cast<uint32_t>(1 + rng.below(steps - 1));
    return Signal{NodeId{from}, static_cast<uint32_t>(rng.below(before)), NodeId{to}, before};
  };
  for (Signal& s : sync.signals) {
    if (rng.below(6) == 0) s = random_signal();
  }
  std::erase_if(sync.signals, [&](const Signal&) { return rng.below(8) == 0; });
  for (Priority& p : sync.priorities) {
    if (rng.below(6) == 0) p.level = 1 + static_cast<uint32_t>(rng.below(p.level + 1));
  }
  for (uint64_t more = rng.below(4); more > 0; --more) sync.signals.push_back(random_signal());
  if (rng.below(4) == 0) sync.barriers.push_back(static_cast<uint32_t>(rng.below(steps - 1)));
  return sync;
}

TEST(CheckSynchronisation, AgreesWithAllInterleavingsHoweverASynchronisationIsChanged) {
  // The check itself compares its two opinions, and throws if they differ.
  Rng rng(5);
  uint64_t safe = 0;
  uint64_t unsafe = 0;
  for (const std::string_view spec : {"line(4)", "line(5)", "mesh(2,2)", "mesh(2,3)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    const auto steps = static_cast<uint32_t>(schedule.plan().num_steps());
    const PlanSynchronisation signals = found(schedule, true, StateAs::kSignals);
    const PlanSynchronisation priorities = found(schedule, true, StateAs::kPriorities);
    for (int i = 0; i < 90; ++i) {
      const PlanSynchronisation sync =
          changed(i < 60 ? signals : priorities, schedule.problem().topology().num_nodes(), steps, rng);
      const InterleavingsVerdict all = play_interleavings(schedule, sync, 1U << 18U);
      ASSERT_TRUE(all.complete);
      EXPECT_EQ(check_synchronisation(schedule, sync, {.most_states = 0}).passed(), all.safe);
      ++(all.safe ? safe : unsafe);
    }
  }
  EXPECT_GE(safe, 10U);
  EXPECT_GE(unsafe, 100U);
}

TEST(CheckSynchronisation, RandomSchedulesAreSafeWithWhatIsFound) {
  for (const Topology& net : testing::small_topologies()) {
    if (net.num_endpoints() < 2) continue;
    for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kAllgather}) {
      Model model;
      model.receive = kOnePort;
      const Schedule schedule = testing::random_schedule(standard_problem(net, kind, model), 3);
      for (const StateAs as : {StateAs::kBarriers, StateAs::kSignals, StateAs::kPriorities}) {
        const PlanSynchronisation good = found(schedule, true, as);
        EXPECT_TRUE(check_synchronisation(schedule, good, {.most_states = 1000}).passed()) << net.name();
      }
    }
  }
}

TEST(CheckSynchronisation, FindingsAreCountedBeyondTheFirst) {
  const SynchronisationCheck check =
      check_synchronisation(made_by(algorithms::alltoall_mesh, "mesh(4,4)"), {}, {.max_findings = 2});
  EXPECT_THAT(check.findings, SizeIs(2));
  EXPECT_GT(check.total_findings, 60U);
  EXPECT_EQ(check.states, std::nullopt);
}

TEST(CheckSynchronisation, WhatWouldTakeTooMuchMemoryIsRefused) {
  const Schedule schedule = read_schedule(kBusyLink);
  const PlanSynchronisation sync{true, {}, {{NodeId{2}, 0, NodeId{1}, 2}, {NodeId{0}, 0, NodeId{2}, 2}}};
  const auto check = [&](uint64_t most) {
    (void)check_synchronisation(schedule, sync, {.most_known = most});
  };
  EXPECT_THAT(error_of([&] { check(8); }),
              HasSubstr("line(3) has too many nodes to check a synchronisation: 3 times 3 is more than 8"));
  EXPECT_EQ(error_of([&] { check(9); }), "no error");
  const PlanSynchronisation more{true,
                                 {},
                                 {{NodeId{0}, 0, NodeId{1}, 1},
                                  {NodeId{0}, 0, NodeId{1}, 2},
                                  {NodeId{0}, 0, NodeId{2}, 1},
                                  {NodeId{0}, 0, NodeId{2}, 2}}};
  EXPECT_THAT(error_of([&] { (void)check_synchronisation(schedule, more, {.most_known = 9}); }),
              HasSubstr("4 signals are on their way at once after step 1: too many to check"));
}

TEST(CheckSynchronisation, ManySignalsInARowArePlayedQuickly) {
  // Each of the signals leads to all those before it: followed one by one there would be 3^20 ways.
  std::string text = "quadrille-plan 1\ntopology line(2)\ncollective alltoall pieces=10\n";
  PlanSynchronisation sync;
  for (uint32_t step = 0; step < 10; ++step) {
    text += fmt::format("step\n0>1: 0-1.{}\n1>0: 1-0.{}\n", step, step);
    for (int i = 0; step > 0 && i < 3; ++i) {
      sync.signals.push_back({NodeId{0}, step - 1, NodeId{1}, step});
      sync.signals.push_back({NodeId{1}, step - 1, NodeId{0}, step});
    }
  }
  const SynchronisationCheck check = check_synchronisation(read_schedule(text), sync, {});
  EXPECT_TRUE(check.passed());
  EXPECT_TRUE(check.states.has_value());
}

}  // namespace check_synchronisation_test
}  // namespace quadrille
