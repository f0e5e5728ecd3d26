#include "quadrille/algorithms/graphs/ring_order.h"

#include <gtest/gtest.h>

#include <set>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace ring_order_test {

void expect_ring(const Topology& topology) {
  const std::optional<std::vector<NodeId>> ring = ring_order(topology);
  ASSERT_TRUE(ring.has_value()) << topology.name();
  EXPECT_EQ(std::set<NodeId>(ring->begin(), ring->end()).size(), topology.num_nodes());
  EXPECT_EQ(ring->size(), topology.num_nodes());
  for (size_t i = 0; i < ring->size() && ring->size() > 1; ++i) {
    EXPECT_TRUE(topology.find_arc((*ring)[i], (*ring)[(i + 1) % ring->size()])) << topology.name();
  }
}

TEST(RingOrder, IsFoundInAllToriHypercubesAndEvenMeshes) {
  for (const std::string_view spec :
       {"ring(1)", "ring(2)", "ring(7)", "complete(6)", "torus(3,3)", "torus(3,5,7)", "torus(4,6)",
        "torus(40,40)", "hypercube(1)", "hypercube(2)", "hypercube(7)", "mesh(2,2)", "mesh(3,4)", "mesh(4,3)",
        "mesh(3,3,2)", "mesh(2,3,3)", "product(line(3),ring(5))", "product(ring(5),line(3))",
        "product(complete(3),line(5),line(3))"}) {
    expect_ring(parse_topology(spec));
  }
}

TEST(RingOrder, IsSearchedForInOtherNetworks) {
  for (const std::string_view spec : {"star(4)", "pancake(4)", "pancake(5)", "cube_connected_cycles(3)",
                                      "butterfly(3)", "butterfly(4)", "circulant(9;2,3)"}) {
    expect_ring(parse_topology(spec));
  }
}

TEST(RingOrder, IsFoundInRandomNetworksByTurningWalks) {
  for (const std::string_view spec : {"random_regular(64,3;2)", "random_regular(256,4;1)",
                                      "random_regular(1024,4;1)", "random_regular(2000,6;3)"})
    expect_ring(parse_topology(spec));
}

TEST(RingOrder, IsNotClaimedWhereThereIsNone) {
  for (const std::string_view spec : {"line(3)", "mesh(3,3)", "mesh(5,3)", "mesh(3,5,3)"}) {
    EXPECT_FALSE(ring_order(parse_topology(spec)).has_value()) << spec;
    EXPECT_TRUE(path_order(parse_topology(spec)).has_value()) << spec;
  }
}

TEST(RingOrder, FollowsAGeneratorOfACirculantWithoutJumpOne) {
  TopologyBuilder builder("jumps 2 and 3 of 7", 7);
  for (uint32_t i = 0; i < 7; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 2) % 7});
    builder.link(NodeId{i}, NodeId{(i + 3) % 7});
  }
  expect_ring(builder.build());
}

TEST(RingOrder, SearchGivesUpOnThePetersenGraphButFindsItsPath) {
  TopologyBuilder builder("petersen", 10);
  for (uint32_t i = 0; i < 5; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 1) % 5});
    builder.link(NodeId{i}, NodeId{i + 5});
    builder.link(NodeId{i + 5}, NodeId{(i + 2) % 5 + 5});
  }
  const Topology petersen = builder.build();
  EXPECT_FALSE(ring_order(petersen).has_value());
  EXPECT_TRUE(path_order(petersen).has_value());
}

}  // namespace ring_order_test
}  // namespace quadrille
