#include "quadrille/topology/queries/cuts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace cuts_test {

std::map<std::string, CutCapacity> cuts_of(std::string_view spec) {
  const Topology net = parse_topology(spec);
  std::map<std::string, CutCapacity> out;
  for (const Cut& cut : structured_cuts(net)) out[cut.description] = capacity_across(net, cut);
  return out;
}

TEST(Cuts, OfAProductAreSlices) {
  const auto cuts = cuts_of("torus(4,6)");
  EXPECT_EQ(cuts.at("nodes 0 to 1 of ring(4) in dimension 1").out, 12U);
  EXPECT_EQ(cuts.at("nodes 0 to 2 of ring(6) in dimension 2").out, 8U);
  EXPECT_EQ(cuts.at("node (0,0)").in, 4U);
  EXPECT_EQ(cuts_of("mesh(4,6)").at("nodes 0 to 3 of line(6) in dimension 2").in, 4U);
}

TEST(Cuts, OfATreeAreSubtrees) {
  const auto cuts = cuts_of("fat_tree(2,4;2,3)");
  EXPECT_EQ(cuts.at("the subtree below 0@1").out, 3U);
  EXPECT_EQ(cuts.at("the subtree below 3@1").out, 3U);
  EXPECT_EQ(cuts.at("the first 2 subtrees below 0@2").in, 6U);
  EXPECT_EQ(cuts.at("the subtree below 7").in, 2U);
}

TEST(Cuts, HaveTwoSidesAndAreWorthNoMoreThanAllArcs) {
  for (const Family* family : family_catalog()) {
    for (const std::string_view spec : family->samples) {
      const Topology net = parse_topology(spec);
      const std::vector<Cut> cuts = structured_cuts(net);
      EXPECT_EQ(cuts.empty(), net.num_nodes() == 1) << spec;
      for (const Cut& cut : cuts) {
        EXPECT_THAT(cut.side, ::testing::Contains(char{0})) << spec << ": " << cut.description;
        EXPECT_THAT(cut.side, ::testing::Contains(char{1})) << spec << ": " << cut.description;
        const CutCapacity across = capacity_across(net, cut);
        EXPECT_GT(across.out, 0U) << spec << ": " << cut.description;
        EXPECT_GT(across.in, 0U) << spec << ": " << cut.description;
      }
    }
  }
}

TEST(Cuts, OfADirectedGraphDifferThereAndBack) {
  TopologyBuilder builder("lopsided", 3);
  builder.arc(NodeId{0}, NodeId{1}, 5);
  builder.arc(NodeId{1}, NodeId{2}, 1);
  builder.arc(NodeId{2}, NodeId{0}, 1);
  const Topology net = builder.build();
  const CutCapacity across = capacity_across(net, Cut{"node 0", {1, 0, 0}});
  EXPECT_EQ(across.out, 5U);
  EXPECT_EQ(across.in, 1U);
}

TEST(Cuts, OfLargeGraphsStayFew) {
  const Topology net = parse_topology("torus(64,64)");
  EXPECT_LE(structured_cuts(net).size(), 70U);
  EXPECT_LE(structured_cuts(parse_topology("line(5000)")).size(), 300U);
}

}  // namespace cuts_test
}  // namespace quadrille
