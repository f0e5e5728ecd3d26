#include "quadrille/topology/queries/disjoint_paths.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace disjoint_paths_test {

// Every path is one, and no two share an inner node or the direct link.
void expect_disjoint(const Topology& net, const std::vector<NodePath>& paths, NodeId from, NodeId to) {
  std::set<NodeId> inner;
  size_t direct = 0;
  for (const NodePath& path : paths) {
    ASSERT_GE(path.size(), 2U);
    EXPECT_EQ(path.front(), from);
    EXPECT_EQ(path.back(), to);
    direct += path.size() == 2 ? 1 : 0;
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      ASSERT_TRUE(net.find_arc(path[i], path[i + 1])) << net.name();
      if (i == 0) continue;
      EXPECT_TRUE(inner.insert(path[i]).second) << net.name() << ", node " << net.label(path[i]);
    }
    EXPECT_FALSE(inner.contains(from) || inner.contains(to)) << net.name();
  }
  EXPECT_LE(direct, 1U);
}

void expect_all_pairs(const std::string& spec, bool as_many_as_links) {
  const Topology net = parse_topology(spec);
  for (const NodeId from : net.nodes()) {
    for (const NodeId to : net.nodes()) {
      if (from == to) continue;
      const DisjointPaths found = disjoint_paths(net, from, to);
      expect_disjoint(net, found.paths, from, to);
      EXPECT_TRUE(found.proved);
      if (as_many_as_links) {
        EXPECT_EQ(found.paths.size(), found.most) << spec;
      }
      EXPECT_EQ(found.paths.size(), disjoint_paths_by_flow(net, from, to).size()) << spec;
    }
  }
}

TEST(DisjointPaths, AreAsManyAsTheNodesHaveLinksInProductsOfUsualFactors) {
  for (const std::string spec : {"mesh(2,3)", "torus(3,4)", "mesh(2,3,2)", "hypercube(4)", "mesh(2,2,2)",
                                 "product(line(2),complete(4))", "generalized_hypercube(3,2,3)"})
    expect_all_pairs(spec, true);
}

// Inside of a mesh a line has one path between two of its nodes, though each has two links.
TEST(DisjointPaths, AreAsManyAsThereAreInMeshes) {
  expect_all_pairs("mesh(3,4)", false);
  expect_all_pairs("product(line(3),complete(4))", false);
}

TEST(DisjointPaths, AFlowFindsThemInAnyGraph) {
  expect_all_pairs("generalized_petersen(5,2)", true);
  expect_all_pairs("tree(2^2)", false);
  expect_all_pairs("circulant(11;1,3)", true);
}

// The construction as printed stops every path of a dimension one node short, and then two of these meet in
// (1,2), or, in numbers from 0, in (0,1).
TEST(DisjointPaths, OfTheSmallestCounterexampleToThePrintedConstruction) {
  const Topology net = parse_topology("mesh(2,3)");
  const std::vector<NodePath> paths = disjoint_paths_of_product(net, NodeId{0}, NodeId{5});
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0], (NodePath{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{5}}));
  EXPECT_EQ(paths[1], (NodePath{NodeId{0}, NodeId{3}, NodeId{4}, NodeId{5}}));
}

// p_1 + p_2 + .. where the factors' paths are fewer than their links: two triangles that share a node.
TEST(DisjointPaths, AFactorWithACutNodeGivesWhatItHasAndAFlowInTheProductMore) {
  TopologyBuilder builder("butterfly", 5);
  for (const auto& [a, b] : {std::pair{0U, 1U}, {1U, 2U}, {2U, 0U}, {2U, 3U}, {3U, 4U}, {4U, 2U}})
    builder.link(NodeId{a}, NodeId{b});
  const Topology factor = builder.build();
  EXPECT_EQ(disjoint_paths(factor, NodeId{0}, NodeId{4}).paths.size(), 1U);
  TopologyBuilder twice("two_butterflies", 10);
  for (const ArcId arc : factor.arcs()) {
    for (const uint32_t layer : {0U, 1U}) {
      twice.arc(NodeId{2 * static_cast<uint32_t>(index(factor.tail(arc))) + layer},
                NodeId{2 * static_cast<uint32_t>(index(factor.head(arc))) + layer});
    }
  }
  for (uint32_t v = 0; v < 5; ++v) twice.link(NodeId{2 * v}, NodeId{2 * v + 1});
  twice.product({factor, parse_topology("line(2)")});
  const Topology net = twice.build();
  EXPECT_EQ(disjoint_paths_of_product(net, NodeId{0}, NodeId{9}).size(), 2U);
  const DisjointPaths found = disjoint_paths(net, NodeId{0}, NodeId{9});
  EXPECT_EQ(found.most, 3U);
  EXPECT_EQ(found.paths.size(), 2U);
  EXPECT_EQ(disjoint_paths(net, NodeId{0}, NodeId{1}).paths.size(), 3U);
}

TEST(DisjointPaths, TakeTheWayOfTheArcsInADirectedGraph) {
  TopologyBuilder builder("one_way", 4);
  for (uint32_t i = 0; i < 4; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 4});
  builder.arc(NodeId{0}, NodeId{2});
  const Topology net = builder.build();
  const DisjointPaths found = disjoint_paths(net, NodeId{0}, NodeId{2});
  EXPECT_EQ(found.paths, (std::vector<NodePath>{{NodeId{0}, NodeId{2}}, {NodeId{0}, NodeId{1}, NodeId{2}}}));
  EXPECT_EQ(found.most, 2U);
  EXPECT_EQ(disjoint_paths(net, NodeId{2}, NodeId{0}).paths.size(), 1U);
}

TEST(DisjointPaths, LargeProductsAreNotSearched) {
  const Topology net = parse_topology("torus(40,40,40)");
  const DisjointPaths found = disjoint_paths(net, NodeId{0}, NodeId{33'333});
  EXPECT_TRUE(found.from_factors);
  EXPECT_EQ(found.paths.size(), 6U);
  expect_disjoint(net, found.paths, NodeId{0}, NodeId{33'333});
}

TEST(DisjointPaths, NeedTwoNodes) {
  try {
    static_cast<void>(disjoint_paths(parse_topology("torus(3,3)"), NodeId{4}, NodeId{4}));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "paths lead from one node of torus(3,3) to another; both are (1,1)");
  }
}

}  // namespace disjoint_paths_test
}  // namespace quadrille
