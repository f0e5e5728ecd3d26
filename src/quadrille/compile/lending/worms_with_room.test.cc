#include "quadrille/compile/lending/worms_with_room.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace worms_with_room_test {

TEST(WormsWithRoom, HaveALaneOfEachLinkForThemselves) {
  const Problem problem = standard_problem(parse_topology("line(2)"), CollectiveKind::kAllreduce,
                                           {.switching = Switching::kWormhole}, kNoNode, 2);
  Plan plan;
  WormsWithRoom with_room(problem, plan);
  StepBuilder step;
  // A link is free again in the next step.
  for (const uint32_t block : {0U, 1U}) {
    step.add(ArcId{0}, BlockId{block});
    step.add(ArcId{1}, BlockId{block});
    step.flush(with_room);
  }
  EXPECT_EQ(plan.num_steps(), 2U);
  step.add(ArcId{0}, BlockId{0});
  step.add(ArcId{0}, BlockId{1}, TransferOp::kCopy);
  EXPECT_THROW(step.flush(with_room), InputError);
  EXPECT_EQ(plan.num_steps(), 2U);
}

// Two sums meet over a link in unlike slots: the first was copied, the second is added where something is.
TEST(WormsWithRoom, SumsOverALinkGoIntoSlotsOfOneName) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kReduce,
                                           {.switching = Switching::kWormhole}, NodeId{2}, 2);
  const ArcId first = *problem.topology().find_arc(NodeId{0}, NodeId{1});
  const ArcId second = *problem.topology().find_arc(NodeId{1}, NodeId{2});
  const BlockId both[] = {BlockId{0}, BlockId{1}};
  ScheduleBuilder judge(problem);
  WormsWithRoom with_room(problem, judge);
  StepBuilder step;
  step.add({&first, 1}, {both, 1}, TransferOp::kCopy, {1U, 1});
  step.add({&first, 1}, {both + 1, 1}, TransferOp::kDefault, {1U, 3});
  step.flush(with_room);
  step.add({&second, 1}, {both, 1}, TransferOp::kCopy, {1U << 1U | 1U, 2});
  step.add({&second, 1}, {both + 1, 1}, TransferOp::kCopy, {1U << 3U | 1U, 1});
  step.flush(with_room);
  const Verification verified = judge.finish();
  ASSERT_TRUE(verified.schedule) << to_text(verified.verdict.findings.front());
  EXPECT_EQ(verified.verdict.figures.transfers, 2U);
  EXPECT_EQ(verified.verdict.figures.critical_blocks, 4U);
}

}  // namespace worms_with_room_test
}  // namespace quadrille
