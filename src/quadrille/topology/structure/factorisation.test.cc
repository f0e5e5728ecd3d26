#include "quadrille/topology/structure/factorisation.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::factorisation_test {
namespace {

std::vector<uint32_t> sides_of(const Topology& topology) {
  std::vector<uint32_t> out;
  for (const Topology& factor : prime_factors(topology).factors) out.push_back(factor.num_nodes());
  return out;
}

// Every arc is one of a factor, at the same coordinates of the others.
void expect_product(const Topology& topology) {
  const Factorisation found = prime_factors(topology);
  uint64_t arcs = 0;
  for (const Topology& factor : found.factors)
    arcs += uint64_t{factor.num_arcs()} * (topology.num_nodes() / factor.num_nodes());
  EXPECT_EQ(arcs, topology.num_arcs());
  for (const ArcId arc : topology.arcs()) {
    size_t differing = 0;
    for (size_t i = 0; i < found.factors.size(); ++i) {
      const NodeId tail{found.coordinate(topology.tail(arc), i)};
      const NodeId head{found.coordinate(topology.head(arc), i)};
      if (tail == head) continue;
      ++differing;
      const auto link = found.factors[i].find_arc(tail, head);
      ASSERT_TRUE(link);
      EXPECT_EQ(found.factors[i].capacity(*link), topology.capacity(arc));
    }
    EXPECT_EQ(differing, 1U);
  }
}

TEST(Factorisation, FindsThePrimeFactorsWhateverTheNumbering) {
  const std::vector<std::pair<std::string, std::vector<uint32_t>>> cases = {
      {"torus(4,4)", {2, 2, 2, 2}},
      {"torus(3,5)", {3, 5}},
      {"mesh(2,3,4)", {2, 3, 4}},
      {"hypercube(5)", {2, 2, 2, 2, 2}},
      {"generalized_hypercube(3,4)", {3, 4}},
      {"product(generalized_petersen(5,2),line(3))", {3, 10}},
      {"product(edges(\"0 1, 1 2, 2 0, 2 3\"),ring(5))", {4, 5}},
      {"product(star(4),ring(4),line(2))", {2, 2, 2, 24}},
      {"product(tree(2,2),edges(\"0 1 3, 1 2\"))", {3, 7}},
      {"product(fat_tree(2,2),ring(3))", {3, 7}},
      {"torus(16,16)", {16, 16}},
      {"generalized_petersen(5,2)", {10}},
      {"random_regular(20,4;3)", {20}},
      {"line(1)", {1}},
      {"line(2)", {2}},
      {"ring(4)", {2, 2}},
  };
  for (const auto& [spec, sides] : cases) {
    SCOPED_TRACE(spec);
    const Topology known = parse_topology(spec);
    EXPECT_EQ(sides_of(known), sides);
    for (uint64_t seed = 0; seed < 2; ++seed) {
      const Topology anew = numbered_anew(known, seed);
      EXPECT_EQ(sides_of(anew), sides);
      expect_product(anew);
    }
  }
}

// A cube of which a corner is cut off and that is doubled at another place looks like a product around every node but few.
TEST(Factorisation, OfWhatIsNearlyAProductThereIsNone) {
  EXPECT_EQ(sides_of(parse_topology("without(torus(5,5);\"link 0 1\")")), std::vector<uint32_t>{25});
  EXPECT_EQ(sides_of(parse_topology("twisted_torus(4,4;2)")).size() == 4, false);
  // Two squares on one link: no square completes its outer pairs.
  EXPECT_EQ(sides_of(parse_topology("edges(\"0 1, 1 2, 2 3, 3 0, 2 4, 4 5, 5 3\")")),
            (std::vector<uint32_t>{2, 3}));
  // A Moebius ladder has the squares of a product of a ring and a link, and is none: distances tell.
  EXPECT_EQ(sides_of(parse_topology("circulant(10;1,5)")), std::vector<uint32_t>{10});
}

TEST(Factorisation, ObeysCapacitiesRolesAndDirections) {
  // A square whose opposite sides differ is none of two links.
  EXPECT_EQ(sides_of(parse_topology("edges(\"0 1 2, 1 2, 2 3, 3 0\")")), std::vector<uint32_t>{4});
  EXPECT_EQ(sides_of(parse_topology("edges(\"0 1 2, 1 2, 2 3 2, 3 0\")")), (std::vector<uint32_t>{2, 2}));
  TopologyBuilder corner("corner", 6);
  for (uint32_t v = 0; v < 3; ++v) corner.link(NodeId{v}, NodeId{v + 3});
  for (const uint32_t row : {0U, 3U}) {
    corner.link(NodeId{row}, NodeId{row + 1});
    corner.link(NodeId{row + 1}, NodeId{row + 2});
  }
  corner.endpoints({NodeId{0}, NodeId{5}});
  EXPECT_EQ(sides_of(corner.build()), std::vector<uint32_t>{6});

  TopologyBuilder turning("turning", 9);
  for (uint32_t v = 0; v < 9; ++v) {
    turning.arc(NodeId{v}, NodeId{v / 3 * 3 + (v + 1) % 3});
    turning.arc(NodeId{v}, NodeId{(v + 3) % 9});
  }
  EXPECT_EQ(sides_of(turning.build()), (std::vector<uint32_t>{3, 3}));
}

}  // namespace
}  // namespace quadrille::factorisation_test
