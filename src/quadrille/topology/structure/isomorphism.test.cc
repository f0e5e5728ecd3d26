#include "quadrille/topology/structure/isomorphism.h"

#include <gtest/gtest.h>

#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::isomorphism_test {
namespace {

void expect_isomorphism(const Topology& from, const Topology& to) {
  const auto image = find_isomorphism(from, to);
  ASSERT_TRUE(image) << from.name();
  std::vector<bool> taken(to.num_nodes(), false);
  for (const NodeId v : from.nodes()) {
    EXPECT_FALSE(taken[index((*image)[index(v)])]);
    taken[index((*image)[index(v)])] = true;
    EXPECT_EQ(from.rank(v).has_value(), to.rank((*image)[index(v)]).has_value());
  }
  for (const ArcId arc : from.arcs()) {
    const auto link = to.find_arc((*image)[index(from.tail(arc))], (*image)[index(from.head(arc))]);
    ASSERT_TRUE(link);
    EXPECT_EQ(to.capacity(*link), from.capacity(arc));
  }
}

TEST(Isomorphism, IsFoundWhereNodesAreNumberedAnew) {
  for (const char* spec : {"line(1)",
                           "line(7)",
                           "ring(9)",
                           "mesh(3,5)",
                           "torus(4,4)",
                           "torus(3,5)",
                           "torus(2,5)",
                           "hypercube(6)",
                           "complete(8)",
                           "generalized_petersen(5,2)",
                           "tree(2^3)",
                           "fat_tree(4,4)",
                           "hypercycle(5:2,3:1)",
                           "torus(8,8)",
                           "clos(8)",
                           "megafly(2,4,2,4)",
                           "slim_fly(7,3)",
                           "de_bruijn(2,4)",
                           "kautz(2,3)",
                           "generalized_kautz(22,3)",
                           "edges(\"0 1 2, 1 2 3, 2 3 2, 3 0, 0 2\")"}) {
    SCOPED_TRACE(spec);
    const Topology topology = parse_topology(spec);
    for (uint64_t seed = 0; seed < 3; ++seed) expect_isomorphism(topology, numbered_anew(topology, seed));
  }
}

TEST(Isomorphism, IsFoundBetweenTwoNamesOfOneNetwork) {
  expect_isomorphism(parse_topology("torus(4,4)"), parse_topology("hypercube(4)"));
  expect_isomorphism(parse_topology("ring(4)"), parse_topology("hypercube(2)"));
}

TEST(Isomorphism, IsNotFoundBetweenNetworksThatDiffer) {
  const auto differ = [](const char* a, const char* b) {
    EXPECT_FALSE(find_isomorphism(parse_topology(a), parse_topology(b))) << a << " " << b;
  };
  differ("torus(4,4)", "mesh(4,4)");
  differ("torus(3,8)", "torus(4,6)");
  differ("ring(6)", "product(line(2),line(3))");
  differ("torus(4,4)", "circulant(16;1,4)");
  differ("clos(4)", "megafly(2,2,2,2)");
  differ("edges(\"0 1 2, 1 2, 2 3 2, 3 0\")", "edges(\"0 1 2, 1 2 2, 2 3, 3 0\")");
}

}  // namespace
}  // namespace quadrille::isomorphism_test
