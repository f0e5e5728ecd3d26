#include "quadrille/topology/queries/separations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"

namespace quadrille {
namespace {

// Reached from a node without passing another one, whatever the directions.
std::set<NodeId> reached_without(const Topology& net, NodeId from, NodeId without) {
  std::set<NodeId> out{from};
  for (bool more = true; more;) {
    more = false;
    for (const ArcId arc : net.arcs()) {
      const NodeId a = net.tail(arc);
      const NodeId b = net.head(arc);
      if (a == without || b == without || out.contains(a) == out.contains(b)) continue;
      out.insert(a);
      out.insert(b);
      more = true;
    }
  }
  return out;
}

TEST(Separations, OfALineAreItsInnerNodesAndAllItsLinks) {
  const Topology line = parse_topology("line(5)");
  const Separations around(line);
  EXPECT_EQ(around.bridges().size(), 4U);
  EXPECT_EQ(around.parts(NodeId{0}).size(), 1U);
  ASSERT_EQ(around.parts(NodeId{1}).size(), 2U);
  EXPECT_EQ(Separations(parse_topology("ring(5)")).bridges().size(), 0U);
  EXPECT_TRUE(Separations(parse_topology("line(1)")).parts(NodeId{0}).empty());
}

TEST(Separations, AreWhatRemovingEveryNodeShows) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const auto size = 2 + static_cast<uint32_t>(rng.below(9));
    const Topology net = rng.below(3) == 0 ? testing::random_directed_topology(rng, size, true)
                                           : testing::random_topology(rng, size, rng.below(2) == 0);
    const Separations around(net);
    for (const NodeId v : net.nodes()) {
      size_t others = 0;
      for (const Separations::Part& part : around.parts(v)) {
        std::set<NodeId> members;
        for (const NodeId w : net.nodes()) {
          if (around.is_in(part, w)) members.insert(w);
        }
        ASSERT_FALSE(members.empty());
        EXPECT_EQ(members, reached_without(net, *members.begin(), v));
        EXPECT_EQ(part.endpoints,
                  std::ranges::count_if(net.endpoints(), [&](NodeId e) { return members.contains(e); }));
        others += members.size();
      }
      EXPECT_EQ(others + 1, net.num_nodes());
    }
  }
}

}  // namespace
}  // namespace quadrille
