#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/compact_steps.h"
#include "quadrille/transforms/concatenate.h"
#include "quadrille/transforms/relabel.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/split_blocks.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_flooding;
extern const Algorithm allgather_ring;
extern const Algorithm alltoall_cayley;
extern const Algorithm alltoall_direct;
extern const Algorithm broadcast_bfs_tree;
extern const Algorithm scatter_furthest_first;
}  // namespace algorithms

namespace transforms_test {

using testing::random_plan;
using testing::random_topology;

Plan made(const Algorithm& card, const Problem& problem) {
  Plan plan;
  card.plan_for(problem)->generate(plan);
  return plan;
}

Problem on(std::string_view spec, CollectiveKind kind, uint32_t ports = 0, uint32_t root = 0) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), kind, model, NodeId{root});
}

// Empty when the plan passes, else its first finding.
std::string judged(const Problem& problem, const Plan& plan) {
  const Verdict verdict = verify(problem, plan).verdict;
  return verdict.passed() ? "" : to_text(verdict.findings.front());
}

TEST(Reverse, TwiceIsThePlanAgain) {
  const Problem scatter = on("mesh(3,4)", CollectiveKind::kScatter, 2, 5);
  const Plan plan = made(algorithms::scatter_furthest_first, scatter);
  const Problem gather = reversed(scatter);
  EXPECT_EQ(gather.collective().kind(), CollectiveKind::kGather);
  EXPECT_EQ(judged(gather, reverse(scatter, plan)), "");
  EXPECT_TRUE(reverse(gather, reverse(scatter, plan)) == plan);
}

TEST(Reverse, BroadcastBecomesReduceAndAllgatherReduceScatter) {
  const Problem broadcast = on("torus(3,4)", CollectiveKind::kBroadcast, 1, 7);
  EXPECT_EQ(judged(reversed(broadcast), reverse(broadcast, made(algorithms::broadcast_bfs_tree, broadcast))),
            "");
  const Problem tree = on("fat_tree(2^2;constant)", CollectiveKind::kBroadcast, 1, 2);
  EXPECT_EQ(judged(reversed(tree), reverse(tree, made(algorithms::broadcast_bfs_tree, tree))), "");
  const Problem allgather = on("torus(3,4)", CollectiveKind::kAllgather, 1);
  EXPECT_EQ(judged(reversed(allgather), reverse(allgather, made(algorithms::allgather_flooding, allgather))),
            "");
}

TEST(Reverse, WormsTurnRoundWithTheirPaths) {
  Model worms;
  worms.switching = Switching::kWormhole;
  worms.send = kOnePort;
  const Problem alltoall =
      standard_problem(parse_topology("mesh(3,3)"), CollectiveKind::kAlltoall, worms, kNoNode, 2);
  const Problem back = reversed(alltoall);
  EXPECT_TRUE(back.model().send.unlimited());
  EXPECT_EQ(back.model().receive, kOnePort);
  EXPECT_EQ(judged(back, reverse(alltoall, made(algorithms::alltoall_direct, alltoall))), "");
}

TEST(Reverse, ADirectedGraphIsTurnedRound) {
  TopologyBuilder builder("one_way", 3);
  for (uint32_t i = 0; i < 3; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 3});
  const Problem gather = standard_problem(builder.build(), CollectiveKind::kGather);
  const Problem scatter = reversed(gather);
  EXPECT_FALSE(scatter.topology().same_graph(gather.topology()));
  const Plan plan = made(algorithms::scatter_furthest_first, scatter);
  EXPECT_EQ(judged(scatter, plan), "");
  EXPECT_EQ(judged(gather, reverse(scatter, plan)), "");
  EXPECT_TRUE(reversed(scatter).topology().same_graph(gather.topology()));
}

TEST(Reverse, RefusesAnAllreduce) {
  EXPECT_EQ(error_of([&] { static_cast<void>(reversed(on("ring(3)", CollectiveKind::kAllreduce))); }),
            "an allreduce cannot be reversed: it is not the reverse of any collective");
}

TEST(Concatenate, TwoHalvesMakeTheWhole) {
  const Problem problem = on("ring(6)", CollectiveKind::kAllgather, 1);
  const Plan plan = made(algorithms::allgather_ring, problem);
  Plan first;
  Plan second;
  for (size_t s = 0; s < plan.num_steps(); ++s) (s < 2 ? first : second).push(plan.step(s));
  EXPECT_TRUE(concatenate(first, second) == plan);
  EXPECT_NE(judged(problem, concatenate(second, first)), "") << "the order matters";
}

TEST(Concatenate, TwoCollectivesMakeAThird) {
  struct Case {
    CollectiveKind first;
    const Algorithm* one;
    CollectiveKind second;
    const Algorithm* other;
    CollectiveKind whole;
  };
  using enum CollectiveKind;
  const Case cases[] = {
      {kReduce, algorithm_catalog().find("reduce_bfs_tree"), kBroadcast,
       algorithm_catalog().find("broadcast_bfs_tree"), kAllreduce},
      {kReduceScatter, algorithm_catalog().find("reduce_scatter_flooding"), kAllgather,
       algorithm_catalog().find("allgather_flooding"), kAllreduce},
      {kScatter, algorithm_catalog().find("scatter_furthest_first"), kAllgather,
       algorithm_catalog().find("allgather_flooding"), kBroadcast},
      {kGather, algorithm_catalog().find("gather_furthest_first"), kBroadcast,
       algorithm_catalog().find("broadcast_bfs_tree"), kAllgather},
  };
  for (const std::string_view spec : {"ring(5)", "torus(3,4)", "fat_tree(2^2;constant)"}) {
    for (const Case& c : cases) {
      ASSERT_TRUE(c.one != nullptr && c.other != nullptr);
      const Problem first = on(spec, c.first, 0, 1);
      const uint32_t pieces = c.first == kGather ? first.collective().num_blocks() : 1;
      const Problem second = standard_problem(first.topology(), c.second, first.model(),
                                              c.second == kBroadcast ? NodeId{1} : kNoNode, pieces);
      const Problem whole = concatenated(first, second);
      EXPECT_EQ(whole.collective().kind(), c.whole);
      const Plan plan = concatenate(first, made(*c.one, first), second, made(*c.other, second));
      EXPECT_EQ(judged(whole, plan), "") << whole.title() << " from " << first.title();
      EXPECT_EQ(judged(whole, compact_steps(whole, plan)), "") << whole.title();
    }
  }
}

TEST(Concatenate, RefusesWhatDoesNotFitTogether) {
  const auto refused = [](const Problem& first, const Problem& second) {
    return error_of([&] { static_cast<void>(concatenated(first, second)); });
  };
  EXPECT_EQ(refused(on("ring(3)", CollectiveKind::kReduce), on("ring(4)", CollectiveKind::kBroadcast)),
            "reduce on ring(3) and then broadcast on ring(4): the networks of the two plans differ");
  EXPECT_EQ(refused(on("ring(3)", CollectiveKind::kReduce, 1), on("ring(3)", CollectiveKind::kBroadcast)),
            "reduce on ring(3) and then broadcast on ring(3): the models of the two plans differ");
  EXPECT_EQ(refused(on("ring(3)", CollectiveKind::kReduce, 0, 1), on("ring(3)", CollectiveKind::kBroadcast)),
            "reduce on ring(3) and then broadcast on ring(3): the roots of the two plans differ");
  EXPECT_EQ(
      refused(on("ring(3)", CollectiveKind::kAlltoall), on("ring(3)", CollectiveKind::kBroadcast)),
      "alltoall and then broadcast make no collective; known are reduce then broadcast, reduce_scatter then "
      "allgather, reduce then scatter, scatter then allgather, gather then broadcast");
  EXPECT_EQ(refused(on("ring(3)", CollectiveKind::kGather), on("ring(3)", CollectiveKind::kBroadcast)),
            "gather with 1 piece(s) and then broadcast with 1: the second needs 3");
}

TEST(Relabel, ATranslationMovesTheRoot) {
  const Problem problem = on("torus(3,4)", CollectiveKind::kBroadcast, 1, 0);
  std::vector<NodeId> image(12);
  for (uint32_t v = 0; v < 12; ++v) image[v] = NodeId{(v / 4 + 1) % 3 * 4 + (v % 4 + 3) % 4};
  const Problem moved = relabelled(problem, image);
  EXPECT_EQ(moved.topology().endpoint(*moved.collective().root()), NodeId{7});
  const Plan plan = made(algorithms::broadcast_bfs_tree, problem);
  EXPECT_EQ(judged(moved, relabel(problem, plan, image)), "");
  const Problem alltoall = on("torus(3,4)", CollectiveKind::kAlltoall, 1);
  const Plan exchange = made(algorithms::alltoall_direct, alltoall);
  EXPECT_EQ(judged(alltoall, relabel(alltoall, exchange, image)), "");
  EXPECT_FALSE(relabel(alltoall, exchange, image) == exchange);
}

TEST(Relabel, RefusesWhatIsNoSymmetry) {
  const Problem problem = on("line(3)", CollectiveKind::kAlltoall);
  const Plan plan = made(algorithms::alltoall_direct, problem);
  const auto with = [&](std::vector<NodeId> image) {
    return error_of([&] { static_cast<void>(relabel(problem, plan, image)); });
  };
  EXPECT_EQ(with({NodeId{2}, NodeId{1}, NodeId{0}}), "no error");
  EXPECT_EQ(with({NodeId{1}, NodeId{0}, NodeId{2}}),
            "the mapping is no symmetry of line(3): the link from 2 to 1 is mapped to 2 and 0, which are not "
            "linked");
  EXPECT_EQ(with({NodeId{1}, NodeId{1}, NodeId{2}}), "two nodes are mapped to 1, one of them 1");
  EXPECT_EQ(with({NodeId{0}, NodeId{1}}), "a mapping of 2 nodes does not fit line(3), which has 3");
  EXPECT_EQ(with({NodeId{0}, NodeId{1}, NodeId{3}}), "node 2 is mapped to 3, which does not exist");
}

TEST(SplitBlocks, PartsFollowEachOtherAndCompactingLetsThemFlow) {
  const Problem problem = on("line(5)", CollectiveKind::kBroadcast);
  const Problem split = with_split_blocks(problem, 3);
  const Plan plan = split_blocks(problem, made(algorithms::broadcast_bfs_tree, problem), 3);
  EXPECT_EQ(judged(split, plan), "");
  EXPECT_EQ(plan.num_steps(), 12U);
  EXPECT_EQ(compact_steps(split, plan).num_steps(), 6U);
  EXPECT_EQ(judged(split, compact_steps(split, plan)), "");
  EXPECT_EQ(error_of([&] { static_cast<void>(with_split_blocks(problem, 0)); }),
            "a block cannot be split into 0 parts");
}

TEST(SplitBlocks, AWormCarriesAllParts) {
  Model worms;
  worms.switching = Switching::kWormhole;
  const Problem problem =
      standard_problem(parse_topology("mesh(2,3)"), CollectiveKind::kAlltoall, worms, kNoNode, 2);
  const Plan plan = made(algorithms::alltoall_direct, problem);
  const Plan split = split_blocks(problem, plan, 4);
  EXPECT_EQ(split.num_steps(), plan.num_steps());
  EXPECT_EQ(judged(with_split_blocks(problem, 4), split), "");
}

TEST(CompactSteps, DropsEmptyStepsAndUsesIdlePorts) {
  const Problem problem = on("complete(4)", CollectiveKind::kAlltoall);
  Plan spread;
  StepBuilder step;
  const Plan plan = made(algorithms::alltoall_cayley, problem);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    spread.push(plan.step(s));
    step.flush(spread);
  }
  EXPECT_EQ(spread.num_steps(), 6U);
  EXPECT_EQ(compact_steps(problem, spread).num_steps(), 1U) << "with all ports everything fits into one step";
}

TEST(CompactSteps, GoodPlansStayGoodAndNeverGrow) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    const uint32_t nodes = 3 + static_cast<uint32_t>(rng.below(6));
    const bool routers = rng.below(2) == 0;
    const Topology net = random_topology(rng, nodes, routers);
    const CollectiveKind kind = kCollectiveKinds[rng.below(kCollectiveKinds.size())];
    Model model;
    model.send = Ports{static_cast<uint32_t>(rng.below(3))};
    model.receive = Ports{static_cast<uint32_t>(rng.below(3))};
    if (rng.below(3) == 0) model.switching = Switching::kWormhole;
    if (rng.below(3) == 0) model.duplex = Duplex::kHalf;
    const Problem problem = standard_problem(net, kind, model);
    const Plan plan = random_plan(problem, rng);
    ASSERT_EQ(judged(problem, plan), "");
    const Plan compact = compact_steps(problem, plan);
    EXPECT_EQ(judged(problem, compact), "") << problem.title() << ", " << describe(model);
    EXPECT_LE(compact.num_steps(), plan.num_steps());
    EXPECT_EQ(compact.num_transfers(), plan.num_transfers());
  }
}

}  // namespace transforms_test
}  // namespace quadrille
