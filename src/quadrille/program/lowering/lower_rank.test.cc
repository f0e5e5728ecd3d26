#include "quadrille/program/lowering/lower_rank.h"

#include <gtest/gtest.h>

#include "quadrille/compile/compile.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace lower_rank_test {

void expect_same(const Schedule& schedule) {
  const Problem& problem = schedule.problem();
  const Program whole = lower(schedule);
  for (uint32_t r = 0; r < problem.collective().num_ranks(); ++r) {
    RankLowering alone(problem, Rank{r});
    schedule.plan().replay(alone);
    ASSERT_EQ(alone.finish(), whole.ranks[r]) << problem.title() << ", rank " << r;
  }
}

TEST(RankLowering, GivesEachRankWhatLowerGivesIt) {
  size_t tried = 0;
  for (const Topology& topology : testing::small_topologies()) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (uint32_t pieces = 1; pieces <= 2; ++pieces) {
        const NodeId root = topology.endpoint(Rank{topology.num_endpoints() - 1});
        const Problem problem = standard_problem(topology, kind, {}, root, pieces);
        if (RankLowering::why_not(problem)) continue;
        for (uint64_t seed = 0; seed < 3; ++seed) expect_same(testing::random_schedule(problem, seed));
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 40U);
}

TEST(RankLowering, GivesTheSameForPlansOfTheHouse) {
  for (const char* spec : {"torus(4,4)", "torus(3,5)", "hypercube(3)", "mesh(3,3)", "complete(5)"}) {
    for (const CollectiveKind kind :
         {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
          CollectiveKind::kAllgather, CollectiveKind::kAlltoall}) {
      for (uint32_t pieces = 1; pieces <= 3; pieces += 2) {
        const Topology topology = parse_topology(spec);
        expect_same(*compile(standard_problem(topology, kind, {}, NodeId{1}, pieces)).schedule);
      }
    }
  }
}

TEST(RankLowering, TakesWorms) {
  Model worms;
  worms.switching = Switching::kWormhole;
  const Problem problem = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall, worms);
  expect_same(*compile(problem).schedule);
}

TEST(RankLowering, SaysWhatItLeavesToLower) {
  const auto why = [](const char* spec, CollectiveKind kind) {
    return RankLowering::why_not(standard_problem(parse_topology(spec), kind)).value_or("");
  };
  EXPECT_EQ(why("ring(4)", CollectiveKind::kAllreduce), "contributions are combined on their way");
  EXPECT_EQ(why("fat_tree(2,2)", CollectiveKind::kAlltoall), "blocks go through routers");
  EXPECT_EQ(why("ring(4)", CollectiveKind::kAlltoall), "");
}

}  // namespace lower_rank_test
}  // namespace quadrille
