#include "quadrille/topology/queries/spread_by_routers.h"

#include <gtest/gtest.h>

#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace spread_by_routers_test {

uint32_t steps(const char* spec, uint64_t ports, bool backwards = false) {
  return steps_by_routers(parse_topology(spec), NodeId{0}, ports, backwards);
}

TEST(SpreadByRouters, CountsWhatSwitchesSend) {
  // Two switches know after a step, four after two; four, eight and eight accelerators more.
  EXPECT_EQ(steps("gpu_box(16,4)", 2), 4U);
  EXPECT_EQ(steps("gpu_box(16,4)", 1), 6U);
  EXPECT_EQ(steps("gpu_box(16,4)", 1, true), 6U);
  EXPECT_EQ(steps("gpu_box(16,4)", UINT64_MAX), 2U);
  EXPECT_EQ(steps("gpu_box(1,3)", 1), 0U);
  // A single switch informs one after the other.
  EXPECT_EQ(steps("gpu_box(9,1)", 1), 9U);
  EXPECT_EQ(steps("fat_tree(2^3)", 3), 6U);  // the farthest
}

TEST(SpreadByRouters, SaysNothingWhereEndpointsAreLinked) {
  EXPECT_EQ(steps("torus(4,4)", 1), 0U);
  EXPECT_EQ(steps("among(torus(4,4);\"0-7\")", 1), 0U);
}

// From a router to four endpoints, each of which has a link to a router of its own, with four more: nobody can tell who told
// him, and 4 steps are enough.
TEST(SpreadByRouters, NobodyTellsBackOverLinksOfOneWay) {
  TopologyBuilder builder("one way", 27);
  std::vector<NodeId> endpoints{NodeId{0}};
  builder.arc(NodeId{0}, NodeId{21});
  for (uint32_t i = 0; i < 4; ++i) {
    builder.arc(NodeId{21}, NodeId{1 + i});
    builder.arc(NodeId{1 + i}, NodeId{22 + i});
    for (uint32_t leaf = 5 + 4 * i; leaf < 9 + 4 * i; ++leaf) {
      builder.arc(NodeId{22 + i}, NodeId{leaf});
      builder.arc(NodeId{leaf}, NodeId{26});
    }
  }
  builder.arc(NodeId{26}, NodeId{0});
  for (uint32_t v = 1; v < 21; ++v) endpoints.push_back(NodeId{v});
  builder.endpoints(endpoints);
  EXPECT_EQ(steps_by_routers(builder.build(), NodeId{0}, 4, false), 4U);
}

}  // namespace spread_by_routers_test
}  // namespace quadrille
