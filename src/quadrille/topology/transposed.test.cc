#include "quadrille/topology/transposed.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace transposed_test {

TEST(Transposed, LinksThatAreAlikeBothWaysStayAsTheyAre) {
  for (const std::string_view spec : {"torus(3,4)", "fat_tree(2^3;exponential)", "star(4)", "line(1)"})
    EXPECT_EQ(transposed(parse_topology(spec)).name(), parse_topology(spec).name());
}

TEST(Transposed, EveryArcOfADirectedGraphTurnsRound) {
  TopologyBuilder builder("one_way", 4);
  for (uint32_t i = 0; i < 4; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 4}, i + 1);
  builder.endpoints({NodeId{1}, NodeId{2}});
  const Topology net = builder.build();
  const Topology back = transposed(net);
  EXPECT_EQ(back.name(), "transposed(one_way)");
  EXPECT_EQ(back.num_endpoints(), 2U);
  for (const ArcId arc : net.arcs()) {
    const std::optional<ArcId> turned = back.find_arc(net.head(arc), net.tail(arc));
    ASSERT_TRUE(turned);
    EXPECT_EQ(back.capacity(*turned), net.capacity(arc));
  }
  EXPECT_TRUE(transposed(back).same_graph(net));
}

TEST(Transposed, LinksWithUnequalCapacitiesExchangeThem) {
  TopologyBuilder builder("two", 2);
  builder.arc(NodeId{0}, NodeId{1}, 3);
  builder.arc(NodeId{1}, NodeId{0});
  const Topology back = transposed(builder.build());
  EXPECT_EQ(back.capacity(*back.find_arc(NodeId{1}, NodeId{0})), 3U);
}

TEST(Transposed, EveryArcIsTurnedRound) {
  for (const char* const spec : {"kautz(2,2)", "torus(3,4)", "clos(4)"}) {
    const Topology whole = parse_topology(spec);
    const Topology turned = transposed(whole);
    const std::vector<ArcId> there = turned_arcs(whole, turned);
    const std::vector<ArcId> back = turned_arcs(turned, whole);
    for (const ArcId arc : whole.arcs()) {
      EXPECT_EQ(turned.tail(there[index(arc)]), whole.head(arc)) << spec;
      EXPECT_EQ(turned.head(there[index(arc)]), whole.tail(arc)) << spec;
      EXPECT_EQ(back[index(there[index(arc)])], arc) << spec;
    }
  }
}

}  // namespace transposed_test
}  // namespace quadrille
