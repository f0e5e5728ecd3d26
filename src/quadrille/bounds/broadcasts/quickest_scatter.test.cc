// The quickest scatter against plans that are as quick as possible: together with levels and cuts the bound is the optimum, and
// its witness says as much to the judge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/trees/scattering/quickest_scatter.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace quickest_scatter_test {
namespace {

using ::testing::HasSubstr;

std::optional<Bound> flow_bound(const Problem& problem) {
  return bound_catalog().find("quickest_scatter")->evaluate(problem);
}

TEST(QuickestScatterBound, IsTheOptimumWhereOthersAreBelow) {
  Rng rng(7);
  int spoke = 0;
  for (int round = 0; round < 300; ++round) {
    const uint32_t size = 4 + static_cast<uint32_t>(rng.below(9));
    const Topology net = rng.below(3) == 0 ? testing::random_directed_topology(rng, size, false)
                                           : testing::random_topology(rng, size, false);
    const auto pieces = static_cast<uint32_t>(1 + rng.below(3));
    const NodeId root = id_at<NodeId>(rng.below(size));
    const Problem scatter = standard_problem(net, CollectiveKind::kScatter, {}, root, pieces);
    const auto optimum = static_cast<int64_t>(quickest_scatter(scatter).steps);
    const Bound best = best_bound(scatter);
    EXPECT_EQ(best.value.ceil(), optimum);
    for (const Problem& problem :
         {scatter, standard_problem(net, CollectiveKind::kGather, {}, root, pieces)}) {
      const std::optional<Bound> bound = flow_bound(problem);
      if (!bound) continue;
      ++spoke;
      EXPECT_EQ(proved_by(problem, bound->evidence.value()), bound->value) << bound->witness;
      EXPECT_THAT(bound->witness, HasSubstr("across a cut that moves with time"));
    }
  }
  EXPECT_GE(spoke, 20);
}

// Down a breadth-first tree all go over one of four links, in four times as many steps as a flow takes, and a flow of that many steps would be
// too large.
TEST(QuickestScatterBound, TheFlowIsAsLargeAsTheStepsThatLinksNeed) {
  constexpr uint32_t kLeaves = 1000;
  TopologyBuilder builder("four ways to a hub", 6 + kLeaves);
  for (uint32_t way = 1; way <= 4; ++way) {
    builder.link(NodeId{0}, NodeId{way});
    builder.link(NodeId{way}, NodeId{5});
  }
  for (uint32_t leaf = 0; leaf < kLeaves; ++leaf) builder.link(NodeId{5}, NodeId{6 + leaf});
  const Problem problem = standard_problem(builder.build(), CollectiveKind::kScatter);
  EXPECT_LE(flow_arcs_of_scatter(problem), kMostFlowArcs);
  const QuickestScatter quickest = quickest_scatter(problem);
  EXPECT_EQ(quickest.steps, 252U);
  Plan plan;
  scatter_quickly(problem, quickest, plan);
  EXPECT_TRUE(verify(problem, std::move(plan)).verdict.passed());
}

TEST(QuickestScatterBound, IsSilentWhereItKnowsNothing) {
  Model one;
  one.send = one.receive = kOnePort;
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("star(3)"), CollectiveKind::kScatter, one)),
            std::nullopt);
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kScatter)),
            std::nullopt);
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("star(3)"), CollectiveKind::kAlltoall)), std::nullopt);
  Model worms;
  worms.switching = Switching::kWormhole;
  EXPECT_EQ(flow_bound(standard_problem(parse_topology("star(3)"), CollectiveKind::kScatter, worms)),
            std::nullopt);
}

}  // namespace
}  // namespace quickest_scatter_test
}  // namespace quadrille
