#include "quadrille/algorithms/torus_classes/ring_levels.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace ring_levels_test {

std::optional<LevelTree> tree_of(std::string_view spec, uint32_t levels) {
  return ring_level_tree(*TorusClasses::of(parse_topology(spec)), levels);
}

TEST(RingLevels, SendNoMoreThanTwoMessagesAStep) {
  for (const std::string_view spec : {"ring(3)", "ring(8)", "ring(9)", "ring(16)", "ring(17)"}) {
    const TorusClasses ring = *TorusClasses::of(parse_topology(spec));
    const std::optional<LevelTree> tree = tree_of(spec, 4);
    ASSERT_TRUE(tree) << spec;
    std::set<uint32_t> has{0};
    for (uint32_t level = 1; level <= 4; ++level) {
      std::set<uint32_t> displacements;
      std::set<uint32_t> then = has;
      for (const LevelTree::Edge& edge : tree->edges) {
        if (edge.level != level) continue;
        EXPECT_TRUE(has.contains(edge.from)) << spec;
        EXPECT_TRUE(then.insert(edge.to).second) << spec;
        displacements.insert(ring.moved(edge.to, ring.back(edge.from)));
      }
      EXPECT_LE(displacements.size(), 2U) << spec;
      has = then;
    }
    EXPECT_EQ(has.size(), ring.num_nodes()) << spec;
  }
}

TEST(RingLevels, LoadTheBusierDirectionLittle) {
  const TorusClasses ring = *TorusClasses::of(parse_topology("ring(16)"));
  EXPECT_EQ(busier_direction(ring, *tree_of("ring(16)", 4)), 11U);
}

TEST(RingLevels, AreNotWhereSoFewMessagesDoNotReach) {
  EXPECT_FALSE(tree_of("ring(10)", 2)) << "two messages a step reach nine nodes";
  EXPECT_FALSE(tree_of("ring(33)", 8)) << "too large";
  EXPECT_FALSE(tree_of("torus(3,3)", 4)) << "no ring";
}

}  // namespace ring_levels_test
}  // namespace quadrille
