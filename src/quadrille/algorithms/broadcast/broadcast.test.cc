#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_bfs_tree;
extern const Algorithm broadcast_product_tree;
}  // namespace algorithms

namespace broadcast_test {

uint64_t steps(const Algorithm& card, std::string_view spec, uint32_t ports, uint32_t root = 0,
               uint32_t pieces = 1) {
  Model model;
  model.send = model.receive = Ports{ports};
  const Problem problem =
      standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model, NodeId{root}, pieces);
  CountingSink count;
  card.plan_for(problem)->generate(count);
  EXPECT_EQ(count.steps(), *card.plan_for(problem)->prediction().steps);
  return count.steps();
}

TEST(BroadcastBfsTree, TakesTheEccentricityWithAllPorts) {
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "line(9)", 0, 0), 8U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "line(9)", 0, 4), 4U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "torus(6,5)", 0, 17), 5U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "fat_tree(2^3;constant)", 0), 6U);
}

TEST(BroadcastBfsTree, ServesTheLongestSubtreeFirstWithFewPorts) {
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "complete(9)", 1), 8U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "complete(9)", 3), 3U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "line(9)", 1, 3), 5U);
  // (k+1)h - 1 is optimal on complete k-ary trees.
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "fat_tree(2^3;constant)", 1), 8U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "fat_tree(3^2;constant)", 1), 7U);
}

TEST(BroadcastBfsTree, PiecesFollowEachOther) {
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "line(5)", 0, 0, 10), 4U + 9U);
  EXPECT_EQ(steps(algorithms::broadcast_bfs_tree, "complete(4)", 1, 0, 5), 3U * 5U);
}

TEST(BroadcastProductTree, IsTheBinomialTreeOnHypercubes) {
  for (const uint32_t ports : {0U, 1U})
    EXPECT_EQ(steps(algorithms::broadcast_product_tree, "hypercube(5)", ports, 9), 5U);
}

TEST(BroadcastProductTree, TakesTheSumOfTheHeightsWithAllPorts) {
  EXPECT_EQ(steps(algorithms::broadcast_product_tree, "mesh(3,4)", 0, 0), 5U);
  EXPECT_EQ(steps(algorithms::broadcast_product_tree, "mesh(3,4)", 0, 5), 3U);
  EXPECT_EQ(steps(algorithms::broadcast_product_tree, "torus(5,6,3)", 0), 6U);
}

}  // namespace broadcast_test
}  // namespace quadrille
