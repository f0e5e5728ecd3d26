#include "quadrille/sim/channel_dependencies.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "quadrille/sim/dimension_order.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace channel_dependencies_test {
namespace {

DependencyCheck check(const char* spec, Routes routes, uint32_t vcs) {
  return check_dependencies(parse_topology(spec), routes, vcs);
}

TEST(ChannelDependencies, OfDimensionOrderWithOneChannelAreThoseOfAllRoutes) {
  for (const char* spec : {"ring(3)", "ring(4)", "ring(5)", "ring(6)", "torus(4,4)", "torus(3,5)",
                           "torus(2,4,3)", "mesh(3,4)", "hamming(3,4)"}) {
    const Topology network = parse_topology(spec);
    const DimensionOrder order = *DimensionOrder::of(network);
    std::set<std::pair<ArcId, ArcId>> turns;
    std::vector<ArcId> path;
    for (const NodeId a : network.nodes()) {
      for (const NodeId b : network.nodes()) {
        path.clear();
        order.route(a, b, path);
        for (size_t i = 0; i + 1 < path.size(); ++i) turns.emplace(path[i], path[i + 1]);
      }
    }
    EXPECT_EQ(check_dependencies(network, Routes::kDimensionOrder, 1).dependencies, turns.size()) << spec;
  }
}

TEST(ChannelDependencies, OnRingsOfFiveOneChannelMayDeadlockAndTwoMayNot) {
  for (const char* spec : {"ring(5)", "torus(5,7)", "torus(3,8,2)", "torus(4,6)"}) {
    const DependencyCheck one = check(spec, Routes::kDimensionOrder, 1);
    EXPECT_FALSE(one.acyclic) << spec;
    EXPECT_TRUE(one.numbering.empty());
    EXPECT_TRUE(one.is_shortest);
    const DependencyCheck two = check(spec, Routes::kDimensionOrder, 2);
    EXPECT_TRUE(two.acyclic) << spec;
    EXPECT_FALSE(two.numbering.empty()) << spec;
    EXPECT_EQ(two.classes, 2U);
  }
  EXPECT_EQ(check("torus(5,7)", Routes::kDimensionOrder, 1).circle.size(), 5U);
  EXPECT_EQ(check("torus(4,6)", Routes::kDimensionOrder, 1).circle.size(), 6U);
}

TEST(ChannelDependencies, RingsOfThreeAndFourNeedNoClasses) {
  // Round three nothing goes two hops; round four only every second node does, either way.
  for (const char* spec : {"ring(3)", "torus(3,3)", "ring(4)", "torus(4,4)", "mesh(5,5)", "hypercube(4)"})
    EXPECT_TRUE(check(spec, Routes::kDimensionOrder, 1).acyclic) << spec;
}

TEST(ChannelDependencies, UpAndDownNeverDeadlocks) {
  for (const char* spec : {"generalized_petersen(5,2)", "torus(5,5)", "fat_tree(2,3)", "hypercube(3)"}) {
    const Topology network = parse_topology(spec);
    const DependencyCheck found = check_dependencies(network, Routes::kUpDown, 1);
    EXPECT_TRUE(found.acyclic) << spec;
    EXPECT_FALSE(found.numbering.empty()) << spec;
    EXPECT_EQ(found.channels, network.num_arcs());
  }
}

TEST(ChannelDependencies, ShortestPathsRoundARingDeadlock) {
  const Topology ring = parse_topology("ring(7)");
  const DependencyCheck found = check_dependencies(ring, Routes::kShortest, 1);
  ASSERT_FALSE(found.acyclic);
  EXPECT_TRUE(found.is_shortest);
  ASSERT_EQ(found.circle.size(), 7U);
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(ring.head(found.circle[i].arc), ring.tail(found.circle[(i + 1) % 7].arc));
  EXPECT_TRUE(check("fat_tree(3,2)", Routes::kShortest, 1).acyclic);
}

TEST(ChannelDependencies, RefuseRoutingsThatDoNotFit) {
  EXPECT_EQ(
      error_of([] { (void)check("fat_tree(2,2)", Routes::kDimensionOrder, 2); }),
      "--routing dor: fat_tree(2^2) is no product of rings, lines and complete graphs; try --routing updown");
  EXPECT_EQ(error_of([] { (void)check("ring(4)", Routes::kDimensionOrder, 0); }),
            "--vcs: a link has at least 1 virtual channel, not 0");
}

}  // namespace
}  // namespace channel_dependencies_test
}  // namespace quadrille
