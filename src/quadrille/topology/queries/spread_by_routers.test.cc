#include "quadrille/topology/queries/spread_by_routers.h"

#include <gtest/gtest.h>

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

}  // namespace spread_by_routers_test
}  // namespace quadrille
