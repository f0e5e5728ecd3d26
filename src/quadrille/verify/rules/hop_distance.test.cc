#include "quadrille/verify/rules/hop_distance.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace hop_distance_test {

TEST(HopDistance, IsWhatASearchFinds) {
  for (const std::string spec :
       {"line(1)", "line(2)", "line(7)", "ring(3)", "ring(8)", "ring(9)", "complete(6)", "torus(3,4,5)",
        "mesh(4,1,3)", "hypercube(4)", "fat_tree(2^3)", "product(ring(5),complete(4),line(3))",
        "generalized_petersen(5,2)", "product(fat_tree(2^2),ring(4))", "cayley(Z(7);2,5)", "pancake(4)",
        "circulant(9;1,3)"}) {
    const Topology net = parse_topology(spec);
    HopDistance hops(net);
    for (const NodeId from : net.nodes()) {
      const std::vector<uint32_t> row = distances_from(net, from);
      for (const NodeId to : net.nodes()) ASSERT_EQ(hops.between(from, to), row[index(to)]) << spec;
    }
  }
}

TEST(HopDistance, ADirectedRingIsNoRing) {
  TopologyBuilder builder("one way", 5);
  for (uint32_t v = 0; v < 5; ++v) builder.arc(NodeId{v}, NodeId{(v + 1) % 5});
  HopDistance hops(builder.build());
  EXPECT_EQ(hops.between(NodeId{0}, NodeId{4}), 4U);
  EXPECT_EQ(hops.between(NodeId{4}, NodeId{0}), 1U);
}

TEST(HopDistance, AGraphWithAsManyLinksAsARingIsNotTakenForOne) {
  TopologyBuilder builder("line with a chord", 5);
  for (uint32_t v = 0; v + 1 < 5; ++v) builder.link(NodeId{v}, NodeId{v + 1});
  builder.link(NodeId{0}, NodeId{2});
  HopDistance hops(builder.build());
  EXPECT_EQ(hops.between(NodeId{0}, NodeId{4}), 3U);
}

TEST(HopDistance, LongDimensionsNeedNoTable) {
  HopDistance hops(parse_topology("mesh(65000,2)"));
  EXPECT_EQ(hops.between(NodeId{0}, NodeId{129'999}), 65'000U);
  EXPECT_EQ(hops.along(0, 64'999, 3), 64'996U);
  EXPECT_EQ(hops.searches(), 0U);
}

TEST(HopDistance, RowsAreKeptAsFarAsTheMemoryGoes) {
  const Topology net = parse_topology("pancake(4)");
  HopDistance all(net);
  HopDistance one(net, 1);
  for (int round = 0; round < 3; ++round) {
    for (const NodeId from : net.nodes())
      EXPECT_EQ(all.between(from, NodeId{5}), one.between(from, NodeId{5}));
  }
  EXPECT_EQ(all.searches(), 24U);
  EXPECT_EQ(one.searches(), 72U);
}

}  // namespace hop_distance_test
}  // namespace quadrille
