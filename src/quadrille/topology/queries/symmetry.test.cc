#include "quadrille/topology/queries/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace symmetry_test {

bool one_orbit(const Topology& net) {
  const std::vector<uint32_t> orbits = node_orbits(net);
  return std::all_of(orbits.begin(), orbits.end(), [](uint32_t orbit) { return orbit == 0; });
}

TEST(Symmetry, OfEverySampleIsAsOnTheCard) {
  for (const Family* family : family_catalog()) {
    for (const std::string_view spec : family->samples) {
      const Topology net = parse_topology(spec);
      const TopologyFacts facts = topology_facts(parse_spec(spec, "test"));
      EXPECT_EQ(facts.node_symmetric.value_or(one_orbit(net)), one_orbit(net)) << spec;
      EXPECT_EQ(is_node_symmetric(net), one_orbit(net)) << spec;
    }
  }
}

TEST(Symmetry, OfAGraphWithoutAGroupIsFoundToo) {
  TopologyBuilder builder("petersen", 10);
  for (uint32_t i = 0; i < 5; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 1) % 5});
    builder.link(NodeId{i}, NodeId{i + 5});
    builder.link(NodeId{i + 5}, NodeId{(i + 2) % 5 + 5});
  }
  EXPECT_TRUE(is_node_symmetric(builder.build()));
}

TEST(Symmetry, RespectsCapacitiesDirectionsAndRoles) {
  TopologyBuilder wide("wide", 4);
  for (uint32_t i = 0; i < 4; ++i) wide.link(NodeId{i}, NodeId{(i + 1) % 4}, i == 0 ? 2 : 1);
  EXPECT_EQ(node_orbits(wide.build()), (std::vector<uint32_t>{0, 0, 2, 2}));

  TopologyBuilder one_way("one way", 4);
  for (uint32_t i = 0; i < 4; ++i) one_way.arc(NodeId{i}, NodeId{(i + 1) % 4});
  EXPECT_TRUE(is_node_symmetric(one_way.build()));

  TopologyBuilder routed("routed", 4);
  for (uint32_t i = 0; i < 4; ++i) routed.link(NodeId{i}, NodeId{(i + 1) % 4});
  routed.endpoints({NodeId{0}, NodeId{2}});
  EXPECT_EQ(node_orbits(routed.build()), (std::vector<uint32_t>{0, 1, 0, 1}));

  EXPECT_EQ(node_orbits(parse_topology("line(5)")), (std::vector<uint32_t>{0, 1, 2, 1, 0}));
  EXPECT_EQ(node_orbits(parse_topology("line(1)")), (std::vector<uint32_t>{0}));
}

}  // namespace symmetry_test
}  // namespace quadrille
