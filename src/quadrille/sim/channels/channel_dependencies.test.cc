#include "quadrille/sim/channels/channel_dependencies.h"

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

// Dimension order of a mesh as a table: first along the row, then along the column.
std::string table_of_rows(const Topology& network) {
  const DimensionOrder order = *DimensionOrder::of(network);
  std::string text = "# node destination next\n";
  std::vector<ArcId> path;
  for (const NodeId v : network.nodes()) {
    for (const NodeId d : network.nodes()) {
      if (v == d) continue;
      path.clear();
      order.route(v, d, path);
      text += network.label(v) + " " + network.label(d) + " " + std::to_string(index(network.head(path[0]))) +
              "\n";
    }
  }
  return text;
}

TEST(RoutingTable, OfDimensionOrderHasItsDependencies) {
  for (const char* spec : {"mesh(3,4)", "ring(5)", "torus(3,4)", "ring(6)"}) {
    const Topology network = parse_topology(spec);
    const RoutingTable table = RoutingTable::read(network, table_of_rows(network), "rows.txt");
    const DependencyCheck by_table = check_dependencies(network, Routes::kTable, 1, &table);
    const DependencyCheck by_rule = check_dependencies(network, Routes::kDimensionOrder, 1);
    EXPECT_EQ(by_table.dependencies, by_rule.dependencies) << spec;
    EXPECT_EQ(by_table.acyclic, by_rule.acyclic) << spec;
    EXPECT_EQ(by_table.circle.size(), by_rule.circle.size()) << spec;
  }
}

TEST(RoutingTable, TellsChannelsApart) {
  // Round a ring of four one way: node 3 -> 0 and what comes after it high, what comes before low.
  std::string text;
  for (uint32_t v = 0; v < 4; ++v) {
    for (uint32_t d = 0; d < 4; ++d) {
      if (v != d)
        text += std::to_string(v) + " " + std::to_string(d) + " " + std::to_string((v + 1) % 4) +
                (v < d    ? " high\n"
                 : v == 3 ? " high\n"
                          : " low\n");
    }
  }
  const Topology ring = parse_topology("ring(4)");
  const RoutingTable table = RoutingTable::read(ring, text, "ring.txt");
  EXPECT_TRUE(check_dependencies(ring, Routes::kTable, 2, &table).acyclic);
  const DependencyCheck one = check_dependencies(ring, Routes::kTable, 1, &table);
  EXPECT_EQ(one.circle.size(), 4U);
  EXPECT_TRUE(one.is_shortest);
}

TEST(RoutingTable, SaysWhereItHasAHole) {
  const Topology path = parse_topology("path(3)");
  const auto error = [&](const char* text) {
    return error_of([&] { (void)RoutingTable::read(path, text, "t.txt"); });
  };
  EXPECT_EQ(error("0 * 1\n2 * 1\n1 0 0\n"),
            "t.txt: a hole: node 1 is not told where a message for 2 goes, which comes by from 0");
  EXPECT_EQ(error("0 * 1\n2 * 1\n1 0 0\n1 2 0\n"),
            "t.txt: a circle: a message from 0 for 2 goes 0 -> 1 -> 0, and never arrives");
  EXPECT_EQ(error("0 2 2\n").substr(0, 36), "t.txt:1:5: no link leads from 0 to 2");
  EXPECT_EQ(error("0 2\n").substr(0, 30), "t.txt:1:3: a line is NODE DEST");
  EXPECT_EQ(error("0 9 1\n").substr(0, 30), "t.txt:1:3: line(3) has no node");
  EXPECT_EQ(error("0 2 1 up\n").substr(0, 41), "t.txt:1:7: channels are any, low or high\n");
  EXPECT_EQ(error("0 2 1\n0 2 1\n").substr(0, 30), "t.txt:2:3: node 0 has a line f");
  EXPECT_EQ(error("0 * 1\n2 * 1\n1 0 0\n1 2 2 # whole\n"), "no error");
}

TEST(RoutingTable, LeadsMessages) {
  const Topology ring = parse_topology("ring(5)");
  std::string text;
  for (uint32_t v = 0; v < 5; ++v) text += std::to_string(v) + " * " + std::to_string((v + 1) % 5) + "\n";
  const RoutingTable table = RoutingTable::read(ring, text, "up.txt");
  const Parcel back{NodeId{1}, NodeId{0}, 3};
  Traffic traffic = traffic_of(ring, std::span(&back, 1));
  EXPECT_EQ(traffic.length(traffic.messages[0]), 1U);
  route_by(table, traffic);
  EXPECT_EQ(traffic.length(traffic.messages[0]), 4U);
}

}  // namespace
}  // namespace channel_dependencies_test
}  // namespace quadrille
