#include "quadrille/program/arrays/packed_messages.h"

#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/schedule/plan.h"
#include "quadrille/testing/card_schedules.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
extern const Algorithm allgather_recursive_doubling;
extern const Algorithm reduce_scatter_recursive_halving;
}  // namespace algorithms

namespace packed_messages_test {

using ::quadrille::testing::made_by;

TEST(PackedMessages, SingleBlocksAreNeverMoved) {
  const Problem problem = standard_problem(parse_topology("line(2)"), CollectiveKind::kAlltoall, {});
  ScheduleBuilder judge(problem);
  StepBuilder step;
  step.add(ArcId{0}, problem.collective().block(Rank{0}, Rank{1}));
  step.add(ArcId{1}, problem.collective().block(Rank{1}, Rank{0}));
  step.flush(judge);
  EXPECT_TRUE(packed_before(*judge.finish().schedule).empty());
}

// Blocks a, b, c of one node: {a, b}, then {b, c} are runs of a row a b c; with {c, a} no row serves all three.
TEST(PackedMessages, MovesWhatNoOrderServes) {
  const Problem problem = standard_problem(parse_topology("complete(4)"), CollectiveKind::kBroadcast,
                                           {.switching = Switching::kWormhole}, NodeId{0}, 3);
  const auto send = [&](StepBuilder& step, uint32_t to, std::initializer_list<uint32_t> blocks) {
    const ArcId arc = *problem.topology().find_arc(NodeId{0}, NodeId{to});
    std::vector<BlockId> carried;
    for (const uint32_t block : blocks) carried.push_back(BlockId{block});
    step.add({&arc, 1}, carried);
  };
  ScheduleBuilder judge(problem);
  StepBuilder step;
  send(step, 1, {0, 1});
  send(step, 2, {1, 2});
  send(step, 3, {2, 0});
  step.flush(judge);
  send(step, 1, {2});
  send(step, 2, {0});
  send(step, 3, {1});
  step.flush(judge);
  const Verification verified = judge.finish();
  ASSERT_TRUE(verified.schedule) << to_text(verified.verdict.findings.front());
  EXPECT_EQ(packed_before(*verified.schedule), (std::vector<RearrangedBefore>{{0, 2}}));
}

TEST(PackedMessages, WhatIsHalvedIsInOrderOnceAndForAll) {
  for (const std::string_view spec : {"hypercube(3)", "hypercube(4)"}) {
    EXPECT_EQ(total(packed_before(made_by(algorithms::allgather_recursive_doubling, spec))), 0U) << spec;
    EXPECT_EQ(total(packed_before(made_by(algorithms::reduce_scatter_recursive_halving, spec))), 0U) << spec;
  }
}

TEST(PackedMessages, MovesNoMoreThanMessagesHave) {
  for (const std::string_view spec : {"mesh(4,4)", "mesh(3,5)", "mesh(6,6)", "mesh(2,2,2)"}) {
    const Schedule schedule = made_by(algorithms::alltoall_mesh, spec);
    std::vector<uint64_t> sent(schedule.problem().topology().num_nodes(), 0);
    for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      for (size_t t = 0; t < step.size(); ++t)
        sent[index(schedule.problem().topology().tail(step.arcs(t).front()))] += step.blocks(t).size();
    }
    const uint64_t moved = total(packed_before(schedule));
    EXPECT_GT(moved, spec == "mesh(2,2,2)" ? 0U : 1U) << spec;
    EXPECT_LE(moved, std::ranges::max(sent)) << spec;
  }
}

}  // namespace packed_messages_test
}  // namespace quadrille
