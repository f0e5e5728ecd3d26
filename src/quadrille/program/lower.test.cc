#include "quadrille/program/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/program/check_program.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace lower_test {

using ::testing::ElementsAre;

std::vector<std::string> lines(const RankProgram& rank) {
  std::vector<std::string> out;
  for (const Action& action : rank.actions) out.push_back(to_text(rank, action));
  return out;
}

Schedule plan_of_one_block(const Problem& problem, const std::vector<std::vector<NodeId>>& steps) {
  Plan plan;
  StepBuilder step;
  for (const std::vector<NodeId>& path : steps) {
    for (size_t i = 0; i + 1 < path.size(); i += 2) {
      step.add(*problem.topology().find_arc(path[i], path[i + 1]), BlockId{0});
    }
    step.flush(plan);
  }
  return testing::judged(problem, std::move(plan));
}

TEST(Lower, ABlockTravelsFromInputThroughScratchToOutput) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kScatter);
  Plan plan;
  StepBuilder step;
  step.add(*problem.topology().find_arc(NodeId{0}, NodeId{1}), BlockId{2});
  step.flush(plan);
  step.add(*problem.topology().find_arc(NodeId{0}, NodeId{1}), BlockId{1});
  step.add(*problem.topology().find_arc(NodeId{1}, NodeId{2}), BlockId{2});
  step.flush(plan);
  const Program program = lower(testing::judged(problem, plan));
  EXPECT_THAT(lines(program.ranks[0]),
              ElementsAre("step 1: send input[2] to 1", "step 1: copy output[0] from input[0]",
                          "step 1: wait #0", "step 2: send input[1] to 1", "step 2: wait #1"));
  EXPECT_THAT(lines(program.ranks[1]), ElementsAre("step 1: receive scratch[0] from 0", "step 1: wait #0",
                                                   "step 2: receive output[0] from 0",
                                                   "step 2: send scratch[0] to 2", "step 2: wait #1 #2"));
  EXPECT_THAT(lines(program.ranks[2]), ElementsAre("step 2: receive output[0] from 1", "step 2: wait #0"));
  EXPECT_EQ(program.num_messages(), 3U);
  EXPECT_EQ(program.blocks_sent(), 3U);
  EXPECT_EQ(program.blocks_moved_locally(), 1U);
}

TEST(Lower, NeighbouringBlocksOfAMessageAreOneRun) {
  const Program program = lower(testing::direct_alltoall(3, 2));
  EXPECT_THAT(lines(program.ranks[1]),
              ElementsAre("step 1: receive output[0..1] from 0", "step 1: receive output[4..5] from 2",
                          "step 1: send input[0..1] to 0", "step 1: send input[4..5] to 2",
                          "step 1: copy output[2..3] from input[2..3]", "step 1: wait #0 #1 #2 #3"));
}

TEST(Lower, RoutersAreContractedIntoMessagesThatTakeSeveralSteps) {
  // Broadcast from leaf 0 of a switch: the copies that the switch makes are messages of leaf 0.
  const Problem problem = standard_problem(parse_topology("fat_tree(3)"), CollectiveKind::kBroadcast);
  const NodeId hub{3};
  const Program program =
      lower(plan_of_one_block(problem, {{NodeId{0}, hub}, {hub, NodeId{1}}, {hub, NodeId{2}}}));
  EXPECT_THAT(lines(program.ranks[0]),
              ElementsAre("step 1: send input[0] to 1", "step 1: send input[0] to 2",
                          "step 1: copy output[0] from input[0]", "step 2: wait #0", "step 3: wait #1"));
  EXPECT_THAT(lines(program.ranks[1]), ElementsAre("step 1: receive output[0] from 0", "step 2: wait #0"));
  EXPECT_THAT(lines(program.ranks[2]), ElementsAre("step 1: receive output[0] from 0", "step 3: wait #0"));
}

TEST(Lower, ARouterThatReducesBecomesSeveralMessagesThatAreReduced) {
  const Program program = lower(testing::switch_allreduce(3));
  EXPECT_THAT(
      lines(program.ranks[0]),
      ElementsAre("step 1: receive output[0] from 1", "step 1: receive scratch[0] from 2",
                  "step 1: send input[0] to 1", "step 1: send input[0] to 2", "step 2: wait #0 #1 #2 #3",
                  "step 2: reduce output[0] from input[0]", "step 2: reduce output[0] from scratch[0]"));
}

TEST(Lower, WhatIsBeingSentIsOnlyReducedIntoAfterwards) {
  const Program program = lower(testing::doubling_allreduce(2));
  EXPECT_THAT(lines(program.ranks[0]),
              ElementsAre("step 1: receive output[0] from 1", "step 1: send input[0] to 1",
                          "step 1: wait #0 #1", "step 1: reduce output[0] from input[0]",
                          "step 2: receive scratch[0] from 2", "step 2: send output[0] to 2",
                          "step 2: wait #2 #3", "step 2: reduce output[0] from scratch[0]"));
}

TEST(Lower, APartialResultThatNobodyReadsIsReducedIntoAsItArrives) {
  const Problem problem = standard_problem(parse_topology("line(3)"), CollectiveKind::kReduce, {}, NodeId{1});
  const Program program = lower(plan_of_one_block(problem, {{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{1}}}));
  EXPECT_THAT(lines(program.ranks[1]),
              ElementsAre("step 1: receive output[0] from 0", "step 1: wait #0",
                          "step 1: reduce output[0] from input[0]", "step 2: receive_reduce output[0] from 2",
                          "step 2: wait #1"));
  EXPECT_EQ(program.ranks[1].scratch_slots, 0U);
}

TEST(Lower, ScratchIsUsedAgain) {
  // Every rank of the ring passes on three partial results, one a step; two can be under way at once.
  const Program program = lower(testing::ring_reduce_scatter(5));
  for (const RankProgram& rank : program.ranks) EXPECT_EQ(rank.scratch_slots, 2U);
}

TEST(Lower, OneRankOnlyCopies) {
  const Problem problem =
      standard_problem(parse_topology("ring(1)"), CollectiveKind::kAllreduce, {}, kNoNode, 3);
  const Program program = lower(testing::judged(problem, Plan()));
  EXPECT_THAT(lines(program.ranks[0]), ElementsAre("step 1: copy output[0..2] from input[0..2]"));
}

TEST(Lower, TheSameScheduleGivesTheSamePrograms) {
  const Problem problem =
      standard_problem(parse_topology("fat_tree(2^3)"), CollectiveKind::kAllreduce, {}, kNoNode, 2);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_EQ(lower(testing::random_schedule(problem, seed)), lower(testing::random_schedule(problem, seed)));
  }
}

TEST(Lower, EveryProgramPassesTheChecker) {
  uint64_t seed = 100;
  for (const Topology& net : testing::small_topologies()) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (uint32_t pieces = 1; pieces <= 2; ++pieces) {
        const Switching switching = seed % 3 == 0 ? Switching::kWormhole : Switching::kPacket;
        const Problem problem =
            standard_problem(net, kind, {.switching = switching}, net.endpoints().back(), pieces);
        const std::vector<Finding> findings = check_program(lower(testing::random_schedule(problem, ++seed)));
        EXPECT_TRUE(findings.empty())
            << problem.title() << ", seed " << seed << ": " << to_text(findings.front());
      }
    }
  }
}

}  // namespace lower_test
}  // namespace quadrille
