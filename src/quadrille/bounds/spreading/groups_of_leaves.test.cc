// What an allreduce takes where hosts hang on switches, and where the farthest node is far.
#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace bounds {
extern const BoundCard groups_of_leaves;
extern const BoundCard node_levels;
}  // namespace bounds

namespace groups_of_leaves_test {

Problem allreduce_on(std::string_view spec, uint32_t pieces, uint32_t count) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, ports(count), NodeId{0}, pieces);
}

// Six hosts and three switches in a row: each piece comes up six times and goes twice along either link, and the three
// switches receive thrice a step.
TEST(GroupsOfLeaves, CountWhatNeighboursEnd) {
  const Problem problem =
      allreduce_on("edges(\"a s1, b s1, s1 s2, c s2, d s2, s2 s3, e s3, f s3\";\"switches s*\")", 12, 1);
  const std::optional<Bound> bound = bounds::groups_of_leaves.evaluate(problem);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->value, Rational::of(12 * (6 + 4), 3));
  ASSERT_TRUE(bound->evidence.has_value());
  EXPECT_EQ(proved_by(problem, *bound->evidence), bound->value);
}

TEST(GroupsOfLeaves, AreProvedByTheirWeights) {
  for (const std::string_view spec : {"jellyfish(8,3,2;1)", "dragonfly(2,4,2)", "fat_tree(4,4)", "star(3)",
                                      "edges(\"a b, b c, c d, d b, d e\")", "fat_tree(8;12)"}) {
    for (const uint32_t count : {0U, 1U, 2U}) {
      const Problem problem = allreduce_on(spec, 6, count);
      const std::optional<Bound> bound = bounds::groups_of_leaves.evaluate(problem);
      if (!bound) continue;
      EXPECT_EQ(proved_by(problem, *bound->evidence), bound->value) << spec << ", ports " << count;
    }
  }
  EXPECT_FALSE(bounds::groups_of_leaves.evaluate(allreduce_on("torus(4,4)", 6, 1)).has_value());
  EXPECT_FALSE(bounds::groups_of_leaves.evaluate(allreduce_on("line(2)", 6, 1)).has_value());
}

// Nothing that is whole comes to a corner of a mesh in the first 13 steps.
TEST(NodeLevels, KnowHowFarSumsOfAnAllreduceCome) {
  const Problem problem = allreduce_on("mesh(8,8)", 64, 0);
  const std::optional<Bound> bound = bounds::node_levels.evaluate(problem);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->value, Rational(13 + 32));
  EXPECT_EQ(proved_by(problem, *bound->evidence), bound->value);
}

}  // namespace groups_of_leaves_test
}  // namespace quadrille
