#include "quadrille/topology/structure/recognition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/testing/numbered_anew.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace recognition_test {
namespace {

TEST(Recognition, FindsTheFamilyAndWhichNodeIsWhich) {
  for (const std::string spec : {"line(5)",
                                 "ring(6)",
                                 "complete(5)",
                                 "torus(4,4)",
                                 "torus(3,5)",
                                 "mesh(3,4)",
                                 "hypercube(3)",
                                 "generalized_hypercube(3,4)",
                                 "star(4)",
                                 "pancake(4)",
                                 "cube_connected_cycles(3)",
                                 "butterfly(3)",
                                 "generalized_petersen(5,2)",
                                 "generalized_petersen(8,3)",
                                 "slim_fly(3)",
                                 "slim_fly(5)",
                                 "dragonfly(0,4,2)",
                                 "tree(2,3)",
                                 "fat_tree(2,2,2;1,2,4)",
                                 "fat_tree(3,2)",
                                 "product(ring(4),complete(3))",
                                 "product(line(3),generalized_petersen(5,2))",
                                 "product(fat_tree(2,2),ring(3))",
                                 "product(star(4),ring(4))",
                                 "product(edges(\"0 1, 1 2, 2 0, 2 3\"),ring(5))",
                                 "circulant(17;1,4)",
                                 "cayley(S(4);(0 1 2),(0 2 1),(1 2 3),(1 3 2))",
                                 "clos(4)",
                                 "clos(8)",
                                 "clos(3,4,5)",
                                 "xgft(2,4,4;1,2,2)",
                                 "xgft(2,3,4;2,2,1;1,2,2)",
                                 "gpu_box(8,6;2)",
                                 "rail_optimized(3,4,2)",
                                 "dragonfly(2,4,2)",
                                 "dragonfly(1,4,2,5)",
                                 "megafly(2,2,2,2)",
                                 "megafly(1,2,2,2,3)",
                                 "slim_fly(5,2)",
                                 "torus(32,24)",
                                 "hypercube(10)",
                                 "torus(8,8)"}) {
    const Topology known = parse_topology(spec);
    const Topology ours = numbered_anew(known, known.num_nodes());
    const std::vector<Recognised> found = recognised_as(ours);
    ASSERT_FALSE(found.empty()) << spec;
    bool same = false;
    for (const Recognised& twin : found) {
      same = same || twin.topology.name() == known.name() || twin.topology.same_graph(known) ||
             twin.topology.num_arcs() == known.num_arcs();
      for (const ArcId arc : twin.topology.arcs()) {
        const auto image = ours.find_arc(twin.image[index(twin.topology.tail(arc))],
                                         twin.image[index(twin.topology.head(arc))]);
        ASSERT_TRUE(image) << spec;
        EXPECT_EQ(ours.capacity(*image), twin.topology.capacity(arc)) << spec;
      }
    }
    EXPECT_TRUE(same) << spec;
  }
}

TEST(Recognition, CallsAProductByItsFactors) {
  const auto name_of = [](const char* spec) {
    const std::vector<Recognised> found = recognised_as(numbered_anew(parse_topology(spec), 5));
    return found.empty() ? std::string() : found.front().topology.name();
  };
  EXPECT_EQ(name_of("product(line(3),ring(5))"), "product(line(3),ring(5))");
  EXPECT_EQ(name_of("product(ring(4),star(4))"), "product(ring(4),star(4))");
  EXPECT_EQ(name_of("product(generalized_petersen(5,2),ring(7))"),
            "product(ring(7),generalized_petersen(5,2))");
  EXPECT_THAT(name_of("product(edges(\"0 1 2, 1 2, 2 0\"),ring(5))"),
              ::testing::MatchesRegex("product.edges.*,ring.5.."));
  EXPECT_EQ(name_of("torus(16,16,16)"), "torus(16,16,16)");
}

TEST(Recognition, OfNamesWithoutAStructureTheFirstOneCounts) {
  const std::vector<Recognised> found = recognised_as(parse_topology("generalized_petersen(7,3)"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().topology.name(), "generalized_petersen(7,2)");
  for (const Recognised& twin : recognised_as(parse_topology("generalized_petersen(7,2)")))
    EXPECT_NE(twin.topology.name(), "generalized_petersen(7,3)");
}

TEST(Recognition, SaysNothingOfOtherNetworks) {
  for (const std::string spec : {"without(torus(4,4);\"link 0 1\")", "random_regular(24,3;7)", "kautz(2,2)",
                                 "clos(4)", "edges(\"a b, b c, c a, c d\")", "line(1)"})
    EXPECT_TRUE(recognised_as(parse_topology(spec)).empty()) << spec;
  // What has a structure is known already.
  EXPECT_TRUE(recognised_as(parse_topology("torus(4,4)")).empty());
}

}  // namespace
}  // namespace recognition_test
}  // namespace quadrille
