#include <gtest/gtest.h>

#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace edges_test {

std::string error_of(std::string_view spec) {
  try {
    static_cast<void>(parse_topology(spec));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Edges, AreNodesByNameAndCapacities) {
  const Topology net = parse_topology("edges(\"n10 n2 3, n2 hub,hub n10\")");
  ASSERT_EQ(net.num_nodes(), 3U);
  EXPECT_EQ(net.label(NodeId{0}), "hub");
  EXPECT_EQ(net.label(NodeId{1}), "n2");
  EXPECT_EQ(net.label(NodeId{2}), "n10");
  EXPECT_EQ(net.capacity(net.find_arc(NodeId{2}, NodeId{1}).value()), 3U);
  EXPECT_EQ(net.num_arcs(), 6U);
  EXPECT_TRUE(parse_topology(net.name()).same_graph(net));
}

TEST(Edges, MistakesAreShownWhereTheyAre) {
  EXPECT_NE(error_of("edges(\"a b, c c\")").find("node c is linked to itself"), std::string::npos);
  EXPECT_NE(error_of("edges(\"a b, c\")").find("an edge is two nodes and, if wanted, a capacity"),
            std::string::npos);
  EXPECT_NE(error_of("edges(3)").find("the edges are given in quotes: edges(\"a b, b c, ..\")"),
            std::string::npos);
  EXPECT_NE(error_of("edges(\"a b, c d\")").find("not connected"), std::string::npos)
      << error_of("edges(\"a b, c d\")");
  EXPECT_NE(error_of("edges(\"\")"), "no error");
}

}  // namespace edges_test
}  // namespace quadrille
