#include "quadrille/algorithms/trees/up_and_down_trees.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_packed_trees;
extern const Algorithm allreduce_swarm;
}  // namespace algorithms

namespace up_and_down_trees_test {

Problem allreduce_on(std::string_view spec, uint32_t pieces) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, ports(0), NodeId{0}, pieces);
}

struct OnMesh {
  std::string_view spec;
  uint32_t pieces;
  uint64_t least;
  uint64_t steps;
};

void expect_steps(const OnMesh& row) {
  const Problem problem = allreduce_on(row.spec, row.pieces);
  EXPECT_EQ(least_up_and_down_steps(problem), row.least) << row.spec;
  EXPECT_LE(judged_steps(algorithms::allreduce_packed_trees, problem), row.steps) << row.spec;
  EXPECT_LE(row.least, static_cast<uint64_t>(best_bound(problem).value.ceil())) << row.spec;
}

// Every node's collecting its share would take 32, 64 and 252 steps.
TEST(UpAndDownTrees, UseTheLinksOfAMeshAlike) {
  expect_steps({"mesh(4,4)", 16, 13, 17});
  expect_steps({"mesh(8,8)", 64, 45, 49});
}
TEST(UpAndDownTreesSlow, UseTheLinksOfAMeshAlikeInManyPieces) { expect_steps({"mesh(8,8)", 256, 144, 150}); }

TEST(UpAndDownTrees, LeadThroughRoutersOnlyToEndpoints) {
  for (const std::string_view spec : {"jellyfish(8,3,2;1)", "clos(4)"}) {
    const Problem problem = allreduce_on(spec, 12);
    EXPECT_GE(judged_steps(algorithms::allreduce_packed_trees, problem), least_up_and_down_steps(problem))
        << spec;
  }
}

// 62 hops to the farthest corner, and all pieces through a corner's two links after it.
TEST(UpAndDownTrees, AreNotMadeWhereTheFarthestPartComesTooLate) {
  EXPECT_EQ(least_up_and_down_steps(allreduce_on("mesh(32,32)", 72)), 61U + 36U);
}

// Twelve pieces go up at a time, and come down a step later.
TEST(UpAndDownTrees, StreamThroughASwitchAsFastAsABroadcast) {
  for (const uint32_t pieces : {12U, 13U, 24U, 96U})
    EXPECT_EQ(judged_steps(algorithms::allreduce_packed_trees, allreduce_on("fat_tree(8;12)", pieces)),
              (pieces + 11) / 12 + 1)
        << pieces;
}

// Both halves one after the other would take up to 1.6 times as many steps.
TEST(UpAndDownTrees, GoThroughFewPortsBothWaysAtOnce) {
  struct Row {
    std::string_view spec;
    uint32_t pieces;
    uint64_t least;
    uint64_t steps;
  };
  for (const Row& row : {Row{"jellyfish(24,6,3;2)", 64, 315, 392}, Row{"jellyfish(8,3,2;1)", 96, 360, 404}}) {
    const Problem problem = standard_problem(parse_topology(row.spec), CollectiveKind::kAllreduce, ports(1),
                                             NodeId{0}, row.pieces);
    EXPECT_LE(judged_steps(algorithms::allreduce_packed_trees, problem), row.steps) << row.spec;
    EXPECT_EQ(static_cast<uint64_t>(best_bound(problem).value.ceil()), row.least) << row.spec;
  }
  for (const auto& [send, receive] : {std::pair{1U, 0U}, std::pair{0U, 1U}, std::pair{2U, 1U}}) {
    const Problem problem = standard_problem(parse_topology("jellyfish(8,3,2;1)"), CollectiveKind::kAllreduce,
                                             ports(send, receive), NodeId{0}, 12);
    EXPECT_GE(judged_steps(algorithms::allreduce_packed_trees, problem), least_up_and_down_steps(problem));
  }
}

// Each node to one before it, and some more links: few nodes have to do with most of what goes on.
Topology tree_and_more(uint32_t nodes, uint32_t more, uint64_t seed) {
  Rng rng(seed);
  std::set<std::pair<uint32_t, uint32_t>> links;
  for (uint32_t v = 1; v < nodes; ++v) links.emplace(static_cast<uint32_t>(rng.below(v)), v);
  while (links.size() < nodes - 1 + more) {
    const auto v = static_cast<uint32_t>(1 + rng.below(nodes - 1));
    links.emplace(static_cast<uint32_t>(rng.below(v)), v);
  }
  TopologyBuilder builder("tree and more", nodes);
  for (const auto& [a, b] : links) builder.link(NodeId{a}, NodeId{b});
  return builder.build();
}

// Who has to pass on most sends what comes down while he receives what goes up: the swarm, one after the other, takes longer.
TEST(UpAndDownTrees, PassEachOtherAtTheBusiestNodeWithOnePort) {
  for (const auto& [more, seed] : {std::pair(10U, 1U), std::pair(20U, 2U)}) {
    const Problem problem =
        standard_problem(tree_and_more(40, more, seed), CollectiveKind::kAllreduce, ports(1), NodeId{0}, 64);
    const uint64_t trees = judged_steps(algorithms::allreduce_packed_trees, problem);
    EXPECT_GE(trees, least_up_and_down_steps(problem));
    EXPECT_LT(10 * trees, 9 * judged_steps(algorithms::allreduce_swarm, problem)) << more << ", " << seed;
  }
}

// Few pieces take as long as their trees are high.
TEST(UpAndDownTrees, OfFewPiecesAreLow) {
  for (const Ports few : {kAllPorts, Ports{2}}) {
    const Problem problem = standard_problem(parse_topology("mesh(5,9)"), CollectiveKind::kAllreduce,
                                             Model{.send = few, .receive = few}, NodeId{0}, 8);
    EXPECT_LE(judged_steps(algorithms::allreduce_packed_trees, problem), 20U);  // of even ones 24 and 26
  }
}

// Each node to two before it: in the end all links are needed alike, but not by the first trees that come to mind.
TEST(UpAndDownTrees, OfManyPiecesBeginEvenly) {
  Rng rng(4);
  TopologyBuilder builder("each to two before it", 60);
  builder.link(NodeId{0}, NodeId{1});
  for (uint32_t v = 2; v < 60; ++v) {
    const auto one = static_cast<uint32_t>(rng.below(v));
    builder.link(NodeId{one}, NodeId{v});
    builder.link(NodeId{static_cast<uint32_t>(one + 1 + rng.below(v - 1)) % v}, NodeId{v});
  }
  const Problem problem =
      standard_problem(builder.build(), CollectiveKind::kAllreduce, Model{}, NodeId{0}, 200);
  const SearchLimits limits(SearchWishes{.effort = 0.1});
  const uint64_t steps = judged_steps(algorithms::allreduce_packed_trees, problem);
  EXPECT_LE(100 * steps, 112 * least_up_and_down_steps(problem));
}

// But for fewer pieces than nodes: collected and sent out, one after the other, they take longer.
TEST(UpAndDownTrees, AreLeftToOthersWhereAllNodesAreAlike) {
  EXPECT_FALSE(algorithms::allreduce_packed_trees.applies(allreduce_on("torus(4,4)", 8)).applies);
  EXPECT_FALSE(algorithms::allreduce_packed_trees.applies(allreduce_on("torus(5,5)", 25)).applies);
  const Problem few = allreduce_on("random_regular(64,4;1)", 32);
  EXPECT_LT(judged_steps(algorithms::allreduce_packed_trees, few),
            judged_steps(algorithms::allreduce_swarm, few));
  // With one port every link of a tree takes two: 2 x 15 x 16 of 16 a step.
  const Problem one_port =
      standard_problem(parse_topology("mesh(4,4)"), CollectiveKind::kAllreduce, ports(1), NodeId{0}, 16);
  EXPECT_EQ(least_up_and_down_steps(one_port), 30U);
}

// One tree is as good: what goes up and what comes down pass each other.
TEST(UpAndDownTrees, StreamUpAndDownASingleTree) {
  for (const std::string_view spec : {"line(7)", "tree(2^3)", "fat_tree(4,4)"})
    EXPECT_LE(judged_steps(algorithms::allreduce_packed_trees, allreduce_on(spec, 64)), 64 + 12) << spec;
}

// On many nodes timetables stay some per cent above what the trees need: they are not made for less.
TEST(UpAndDownTrees, OfManyNodesAreNotMadeForWhatIsHardlyThere) {
  const Problem problem = allreduce_on("mesh(23,23)", 64);
  const auto least = static_cast<double>(least_up_and_down_steps(problem));
  const WorthMaking wanted(UINT64_MAX, false, {.than = least + 2, .of_start_up = 0.5, .of_round = 0.5});
  EXPECT_FALSE(prepare(algorithms::allreduce_packed_trees, problem).plans.front()->prediction().steps);
}

}  // namespace up_and_down_trees_test
}  // namespace quadrille
