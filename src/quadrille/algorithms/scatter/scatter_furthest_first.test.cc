#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm gather_furthest_first;
extern const Algorithm scatter_furthest_first;
}  // namespace algorithms

namespace scatter_furthest_first_test {

uint64_t steps(const Algorithm& card, std::string_view spec, uint32_t ports, uint32_t root = 0,
               uint32_t pieces = 1) {
  Model model;
  model.send = model.receive = Ports{ports};
  const Problem problem =
      standard_problem(parse_topology(spec), card.collective, model, NodeId{root}, pieces);
  CountingSink count;
  card.plan_for(problem)->generate(count);
  EXPECT_EQ(count.steps(), *card.plan_for(problem)->prediction().steps);
  return count.steps();
}

TEST(ScatterFurthestFirst, IsOptimalWithOnePort) {
  for (const Algorithm* card : {&algorithms::scatter_furthest_first, &algorithms::gather_furthest_first}) {
    EXPECT_EQ(steps(*card, "torus(4,5)", 1, 7), 19U);
    EXPECT_EQ(steps(*card, "mesh(3,5)", 1, 7), 14U);
    EXPECT_EQ(steps(*card, "line(6)", 1, 2), 5U);
    EXPECT_EQ(steps(*card, "complete(6)", 1, 2, 4), 20U);
    EXPECT_EQ(steps(*card, "ring(1)", 1), 0U);
  }
}

TEST(ScatterFurthestFirst, OnATreeOfRoutersThePathsMayOutlastTheSends) {
  // n for k >= 3, n+1 for k = 2 and more than one level.
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "fat_tree(3^2;constant)", 1), 9U);
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "fat_tree(2^3;constant)", 1), 9U);
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "fat_tree(5;constant)", 1), 5U);
}

TEST(ScatterFurthestFirst, TakesTheLargestSubtreeWithAllPorts) {
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "line(6)", 0, 2), 3U);
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "ring(9)", 0), 4U);
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "complete(9)", 0), 1U);
}

TEST(ScatterFurthestFirst, SharesFewPortsAmongTheSubtrees) {
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "complete(9)", 3), 3U);
  EXPECT_EQ(steps(algorithms::scatter_furthest_first, "complete(9)", 3, 0, 2), 6U);
}

}  // namespace scatter_furthest_first_test
}  // namespace quadrille
