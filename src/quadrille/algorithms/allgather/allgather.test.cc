#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/choice.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_flooding;
extern const Algorithm allgather_ring;
}  // namespace algorithms

namespace allgather_test {

Problem allgather(std::string_view spec, uint32_t ports) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), CollectiveKind::kAllgather, model);
}

uint64_t steps(const Algorithm& card, const Problem& problem) {
  CountingSink count;
  card.plan_for(problem)->generate(count);
  return count.steps();
}

TEST(AllgatherRing, IsOptimalWithOnePort) {
  for (const std::string_view spec : {"ring(7)", "torus(3,5)", "mesh(4,3)", "hypercube(4)", "complete(5)"}) {
    const Problem problem = allgather(spec, 1);
    ASSERT_TRUE(prepare(algorithms::allgather_ring, problem).fits.applies) << spec;
    EXPECT_EQ(best_bound(problem).value.ceil(),
              static_cast<int64_t>(steps(algorithms::allgather_ring, problem)));
  }
}

TEST(AllgatherRing, SaysWhyItDoesNotApply) {
  EXPECT_EQ(prepare(algorithms::allgather_ring, allgather("mesh(3,3)", 1)).fits.reason,
            "it needs a ring through all nodes; none was found in mesh(3,3)");
  EXPECT_EQ(prepare(algorithms::allgather_ring, allgather("fat_tree(2^2;constant)", 1)).fits.reason,
            "it needs every node to take part; fat_tree(2^2) has routers");
}

TEST(AllgatherFlooding, MeetsTheBoundOnCompleteTreesWithAllPorts) {
  // n for k >= 3, n+1 for k = 2 and more than one level.
  EXPECT_EQ(steps(algorithms::allgather_flooding, allgather("fat_tree(3^2;constant)", 0)), 9U);
  EXPECT_EQ(steps(algorithms::allgather_flooding, allgather("fat_tree(2^3;constant)", 0)), 9U);
}

TEST(AllgatherFlooding, IsNotFarFromTheBoundOnTori) {
  const Problem problem = allgather("torus(5,5)", 0);
  EXPECT_EQ(best_bound(problem).value.ceil(), 6);
  EXPECT_LE(steps(algorithms::allgather_flooding, problem), 8U);
}

TEST(AllgatherFlooding, IsTakenWhereOnlyARingIsKnownToo) {
  const Problem problem = allgather("mesh(35,40)", 0);  // more than 1,024 nodes
  const Choice choice = choose_algorithm(problem);
  EXPECT_EQ(choice.algorithm->name, "allgather_flooding");
  EXPECT_EQ(choice.prediction.steps, 700U);  // (n - 1) / 2, by degree
}

}  // namespace allgather_test
}  // namespace quadrille
