#include "quadrille/topology/topology.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/cayley/abelian_group.h"
#include "quadrille/topology/products/cartesian_product.h"

namespace quadrille {
namespace topology_test {

Topology ring(uint32_t n) {
  TopologyBuilder builder("ring", n);
  builder.cayley(abelian_group({n}), n == 1   ? std::vector<uint32_t>{}
                                     : n == 2 ? std::vector<uint32_t>{1}
                                              : std::vector<uint32_t>{1, n - 1});
  return builder.build();
}

TEST(Topology, ArcsAreSortedByTailAndHeadAndKnowTheirReverse) {
  TopologyBuilder builder("net", 4);
  builder.link(NodeId{2}, NodeId{0});
  builder.link(NodeId{3}, NodeId{1});
  builder.link(NodeId{0}, NodeId{1}, 5);
  builder.link(NodeId{1}, NodeId{0}, 2);
  const Topology net = builder.build();
  EXPECT_EQ(net.num_arcs(), 6U);
  for (const ArcId a : net.arcs()) {
    EXPECT_EQ(net.reverse(net.reverse(a)), a);
    EXPECT_EQ(net.head(net.reverse(a)), net.tail(a));
    EXPECT_EQ(net.find_arc(net.tail(a), net.head(a)), a);
    if (index(a) > 0) {
      const ArcId before{static_cast<uint32_t>(index(a)) - 1};
      EXPECT_LT(std::pair(net.tail(before), net.head(before)), std::pair(net.tail(a), net.head(a)));
    }
  }
  EXPECT_EQ(net.capacity(*net.find_arc(NodeId{0}, NodeId{1})), 7U) << "parallel links add up";
  EXPECT_FALSE(net.find_arc(NodeId{2}, NodeId{3}).has_value());
  EXPECT_FALSE(net.is_directed());
}

TEST(Topology, RefusesWhatIsNoNetwork) {
  EXPECT_EQ(error_of([] { TopologyBuilder("x", 0); }), "x has no nodes");
  EXPECT_EQ(error_of([] { TopologyBuilder("x", uint64_t{1} << 32U); }),
            "x has 4294967296 nodes; at most 4294967294 can be numbered");
  TopologyBuilder builder("x", 3);
  EXPECT_EQ(error_of([&] { builder.link(NodeId{1}, NodeId{1}); }), "x: node 1 is linked to itself");
  EXPECT_EQ(error_of([&] { builder.link(NodeId{1}, NodeId{3}); }), "x has nodes 0 to 2, not 3");
  EXPECT_EQ(error_of([&] { builder.link(NodeId{1}, NodeId{2}, 0); }),
            "x: the link from 1 to 2 has capacity 0, at least 1 is needed");
  builder.link(NodeId{0}, NodeId{1});
  EXPECT_EQ(error_of([&] { (void)builder.build(); }),
            "x is not connected: node 2 cannot be reached from node 0");
}

TEST(Topology, AOneWayStreetMustLeadBack) {
  TopologyBuilder circle("circle", 3);
  for (uint32_t v = 0; v < 3; ++v) circle.arc(NodeId{v}, NodeId{(v + 1) % 3});
  const Topology net = circle.build();
  EXPECT_TRUE(net.is_directed());
  EXPECT_EQ(net.reverse(ArcId{0}), kNoArc);

  TopologyBuilder trap("trap", 2);
  trap.arc(NodeId{0}, NodeId{1});
  EXPECT_EQ(error_of([&] { (void)trap.build(); }),
            "trap is not connected: node 0 cannot be reached from node 1");
}

TEST(Topology, RoutersHaveNoRank) {
  TopologyBuilder builder("star", 4);
  for (uint32_t v = 1; v < 4; ++v) builder.link(NodeId{0}, NodeId{v});
  builder.endpoints({NodeId{3}, NodeId{1}, NodeId{2}});
  const Topology net = builder.build();
  EXPECT_EQ(net.num_endpoints(), 3U);
  EXPECT_EQ(net.rank(NodeId{0}), std::nullopt);
  EXPECT_EQ(net.rank(NodeId{3}), Rank{2});
  EXPECT_EQ(net.endpoint(Rank{0}), NodeId{1});
}

TEST(Topology, AProductOfRingsIsACayleyGraphWithCoordinates) {
  const Topology torus = cartesian_product("torus", {ring(4), ring(2), ring(3)});
  ASSERT_NE(torus.product(), nullptr);
  ASSERT_NE(torus.cayley(), nullptr);
  EXPECT_EQ(torus.num_nodes(), 24U);
  EXPECT_EQ(torus.num_arcs(), 24U * 5U);
  EXPECT_EQ(torus.cayley()->group->name(), "Z_4 x Z_2 x Z_3");
  EXPECT_EQ(torus.label(NodeId{23}), "(3,1,2)");
  EXPECT_EQ(torus.product()->coordinate(NodeId{23}, 0), 3U);
  EXPECT_EQ(torus.product()->with_coordinate(NodeId{23}, 1, 0), NodeId{20});
  for (const NodeId x : torus.nodes()) {
    for (size_t k = 0; k < torus.cayley()->generators.size(); ++k) {
      const ArcId arc = torus.cayley()->arc(x, k);
      EXPECT_EQ(torus.tail(arc), x);
      EXPECT_EQ(torus.reverse(arc), torus.cayley()->arc(torus.head(arc), torus.cayley()->inverses[k]));
    }
  }
}

TEST(Topology, ATreeIsNumberedFromTheLeaves) {
  TopologyBuilder builder("tree", 6 + 3 + 1);
  builder.tree({2, 3}, {1, 4}, true);
  const Topology tree = builder.build();
  EXPECT_EQ(tree.num_endpoints(), 6U);
  EXPECT_EQ(tree.tree()->level(NodeId{5}), 0U);
  EXPECT_EQ(tree.tree()->level(NodeId{6}), 1U);
  EXPECT_EQ(tree.tree()->level(NodeId{9}), 2U);
  EXPECT_EQ(tree.tree()->parent(NodeId{5}), NodeId{8});
  EXPECT_EQ(tree.capacity(*tree.find_arc(NodeId{7}, NodeId{9})), 4U);
  EXPECT_EQ(tree.label(NodeId{8}), "2@1");
}

}  // namespace topology_test
}  // namespace quadrille
