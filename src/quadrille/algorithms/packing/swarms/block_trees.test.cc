// Block trees: judged, as good as they are said to be, and nothing where they would be longer.
#include "quadrille/algorithms/packing/swarms/block_trees.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace block_trees_test {
namespace {

struct Case {
  std::string spec;
  CollectiveKind kind;
  uint32_t pieces;
  Model model;
  uint64_t steps;  // or fewer
};

SwarmTask task_of(const Problem& problem) {
  SwarmTask task{problem.topology(), problem.model().send, problem.model().receive};
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b)
    task.origins.push_back(problem.origin(BlockId{b}));
  return task;
}

constexpr Model kOne{.send = kOnePort, .receive = kOnePort};
constexpr Model kTwo{.send = Ports{2}, .receive = Ports{2}};

TEST(BlockTrees, ArePlansThatTheJudgePasses) {
  using enum CollectiveKind;
  for (const Case& c :
       {Case{"clos(4)", kAllgather, 1, kOne, 35}, Case{"clos(4)", kBroadcast, 16, kOne, 42},
        Case{"clos(4)", kAllgather, 2, kTwo, 40}, Case{"jellyfish(8,3,2;1)", kAllgather, 1, kOne, 60},
        Case{"xgft(2,2;1,2;2,1)", kBroadcast, 5, kTwo, 30},
        Case{"xgft(2,8,8;1,4,4)", kAllgather, 1, kOne, 266},  // a swarm: 320, bound 256
        Case{"xgft(2,8,8;1,4,4)", kBroadcast, 32, kOne, 80}}) {
    const Problem problem = standard_problem(parse_topology(c.spec), c.kind, c.model, kNoNode, c.pieces);
    SCOPED_TRACE(problem.title());
    const std::optional<SwarmSteps> found = send_down_block_trees(task_of(problem), c.steps, 0);
    ASSERT_TRUE(found);
    EXPECT_LE(found->size(), c.steps);
    Plan plan;
    StepBuilder step;
    for (const auto& sends : *found) {
      for (const SwarmSend& send : sends) step.add(send.arc, BlockId{send.block});
      step.flush(plan);
    }
    EXPECT_TRUE(verify(problem, std::move(plan)).verdict.passed());
  }
}

TEST(BlockTrees, AreNoneWhereTheyWouldBeLonger) {
  const Problem problem = standard_problem(parse_topology("clos(4)"), CollectiveKind::kAllgather, kOne);
  EXPECT_FALSE(send_down_block_trees(task_of(problem), 31, 0));  // the bound is 32
}

// What a better bound is known for is found to be the same, only sooner.
TEST(BlockTrees, DoNotDependOnWhatIsGoodEnough) {
  const Problem problem = standard_problem(parse_topology("clos(4)"), CollectiveKind::kAllgather, kOne);
  const auto some = send_down_block_trees(task_of(problem), SIZE_MAX, 0);
  const auto same = send_down_block_trees(task_of(problem), SIZE_MAX, 32);
  ASSERT_TRUE(some && same);
  EXPECT_EQ(some->size(), same->size());
}

}  // namespace
}  // namespace block_trees_test
}  // namespace quadrille
