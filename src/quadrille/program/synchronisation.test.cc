#include "quadrille/program/synchronisation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/program/interleavings.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_direct;
extern const Algorithm alltoall_mesh;
}  // namespace algorithms

namespace synchronisation_test {

using ::quadrille::testing::made_by;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool is_safe(const Schedule& schedule, bool ports, const std::vector<Signal>& signals,
             const std::vector<uint32_t>& barriers) {
  const InterleavingsVerdict all = play_interleavings(schedule, {ports, barriers, signals}, 2000000);
  EXPECT_TRUE(all.complete) << all.states;
  return all.safe;
}

// No other priorities with fewer levels are enough: with all levels pressed into one less, something meets.
void expect_exact_priorities(const Schedule& schedule, bool ports, const Synchronisation& sync) {
  EXPECT_EQ(sync.priorities.empty(), sync.unordered == 0);
  const PlanSynchronisation good{.ports = ports, .priorities = sync.priorities};
  EXPECT_TRUE(play_interleavings(schedule, good, 2000000).safe);
  uint32_t most = 1;
  for (const Priority& p : sync.priorities) most = std::max(most, p.level);
  EXPECT_EQ(sync.priority_levels, most);
  for (uint32_t level = 1; level < most; ++level) {
    PlanSynchronisation pressed = good;
    for (Priority& p : pressed.priorities) p.level -= p.level > level ? 1 : 0;
    EXPECT_FALSE(play_interleavings(schedule, pressed, 2000000).safe) << level;
  }
}

// Everything that is said keeps conflicts apart, and nothing less does.
void expect_exact(const Schedule& schedule, bool ports) {
  SCOPED_TRACE(fmt::format("{}, ports {}", schedule.problem().title(), ports));
  const Synchronisation sync = synchronise(schedule, {.ports = ports});
  EXPECT_TRUE(is_safe(schedule, ports, sync.signals, {}));
  EXPECT_TRUE(is_safe(schedule, ports, {}, sync.barriers));
  EXPECT_EQ(is_safe(schedule, ports, {}, {}), sync.unordered == 0);
  expect_exact_priorities(schedule, ports, sync);
  for (size_t i = 0; i < sync.signals.size(); ++i) {
    std::vector<Signal> without = sync.signals;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(is_safe(schedule, ports, without, {})) << "signal " << i << " is not needed";
  }
  for (size_t i = 0; i < sync.barriers.size(); ++i) {
    std::vector<uint32_t> without = sync.barriers;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(is_safe(schedule, ports, {}, without)) << "barrier " << i << " is not needed";
  }
}

TEST(Synchronisation, AllInterleavingsOfSmallMeshesAreSafeAndNoSignalIsTooMuch) {
  for (const std::string_view spec : {"line(3)", "line(4)", "line(5)", "mesh(2,2)", "mesh(2,3)"}) {
    for (const bool ports : {true, false}) {
      expect_exact(made_by(algorithms::alltoall_mesh, spec), ports);
      expect_exact(made_by(algorithms::alltoall_direct, spec), ports);
    }
  }
}

TEST(Synchronisation, AWrongSignalIsFoundToo) {
  const Schedule schedule = made_by(algorithms::alltoall_mesh, "line(4)");
  const std::vector<Signal> good = synchronise(schedule, {}).signals;
  ASSERT_FALSE(good.empty());
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<Signal> bad = good;
    bad[i].to = NodeId{(static_cast<uint32_t>(index(bad[i].to)) + 1) % 4};  // it tells somebody else
    EXPECT_FALSE(is_safe(schedule, true, bad, {})) << i;
    bad = good;
    bad[i].before_step = static_cast<uint32_t>(schedule.plan().num_steps());  // too late
    EXPECT_FALSE(is_safe(schedule, true, bad, {})) << i;
  }
}

TEST(Synchronisation, HalfDuplexLinksConflictInBothDirections) {
  Model model;
  model.send = model.receive = kOnePort;
  model.switching = Switching::kWormhole;
  model.duplex = Duplex::kHalf;
  const Problem problem = standard_problem(parse_topology("line(4)"), CollectiveKind::kAlltoall, model);
  Plan plan;
  algorithms::alltoall_mesh.plan_for(problem)->generate(plan);
  const Schedule half = testing::judged(problem, std::move(plan));
  expect_exact(half, true);
  expect_exact(half, false);
}

TEST(Synchronisation, ATransferThatItsSenderHasToWaitForAnywayNeedsNothing) {
  // Down a line, one node after the other.
  const Problem problem = standard_problem(parse_topology("line(4)"), CollectiveKind::kBroadcast);
  Plan plan;
  StepBuilder step;
  for (uint32_t v = 0; v < 3; ++v) {
    step.add(*problem.topology().find_arc(NodeId{v}, NodeId{v + 1}), BlockId{0});
    step.flush(plan);
  }
  const Synchronisation sync = synchronise(testing::judged(problem, std::move(plan)), {});
  EXPECT_EQ(sync.conflicts, 0U);
  EXPECT_THAT(sync.barriers, IsEmpty());
  EXPECT_EQ(sync.priority_levels, 1U);
}

TEST(Synchronisation, AWormOverABusyLinkWaitsForASignal) {
  // 0 -> 2 in step 1, 1 -> 2 in step 2: nothing tells node 1 that the link is free.
  Model model;
  model.switching = Switching::kWormhole;
  const Problem problem =
      standard_problem(parse_topology("line(3)"), CollectiveKind::kGather, model, NodeId{2});
  Plan plan;
  StepBuilder step;
  const ArcId first = *problem.topology().find_arc(NodeId{0}, NodeId{1});
  const ArcId second = *problem.topology().find_arc(NodeId{1}, NodeId{2});
  step.add(std::vector<ArcId>{first, second}, std::vector<BlockId>{BlockId{0}});
  step.flush(plan);
  step.add(second, BlockId{1});
  step.flush(plan);
  const Schedule schedule = testing::judged(problem, std::move(plan));
  const Synchronisation sync = synchronise(schedule, {});
  EXPECT_EQ(sync.conflicts, 1U);
  EXPECT_EQ(sync.unordered, 1U);
  EXPECT_THAT(sync.barriers, ElementsAre(0U));
  EXPECT_THAT(sync.signals, ElementsAre(Signal{NodeId{2}, 0, NodeId{1}, 1}));
  EXPECT_EQ(sync.priority_levels, 2U);
  expect_exact(schedule, true);
}

TEST(Synchronisation, TheMeshExchangeNeedsFewerSignalsThanConflicts) {
  const Synchronisation sync = synchronise(made_by(algorithms::alltoall_mesh, "mesh(6,6)"), {});
  EXPECT_EQ(sync.conflicts, 294U);
  EXPECT_EQ(sync.barriers.size(), 3U);
  EXPECT_EQ(sync.signals.size(), 144U);
}

}  // namespace synchronisation_test
}  // namespace quadrille
