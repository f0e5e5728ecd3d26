#include "quadrille/algorithms/hypercubes/spanning_hypercube.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace spanning_hypercube_test {

TEST(SpanningHypercube, GivesNeighboursToEveryNodeInEveryDimension) {
  for (const std::string spec :
       {"hypercube(1)", "hypercube(7)", "torus(4,4)", "torus(2,4,4)", "complete(16)", "ring(4)",
        "product(complete(8),ring(4),line(2))", "circulant(8;1,3)", "mesh(2,2)"}) {
    const Topology net = parse_topology(spec);
    const std::optional<SpanningHypercube> cube = SpanningHypercube::of(net);
    ASSERT_TRUE(cube) << spec;
    ASSERT_EQ(1U << cube->dimensions(), net.num_nodes()) << spec;
    for (const NodeId v : net.nodes()) {
      EXPECT_EQ(cube->node(cube->label(v)), v) << spec;
      for (uint32_t k = 0; k < cube->dimensions(); ++k)
        EXPECT_TRUE(net.find_arc(v, cube->node(cube->label(v) ^ (1U << k)))) << spec;
    }
  }
}

TEST(SpanningHypercube, IsNotFoundWhereThereIsNone) {
  for (const std::string spec : {"mesh(4,4)", "torus(8,4)", "line(1)", "complete(12)", "ring(16)", "star(3)",
                                 "de_bruijn(2,3)", "fat_tree(2,2)"})
    EXPECT_FALSE(SpanningHypercube::of(parse_topology(spec))) << spec;
}

}  // namespace spanning_hypercube_test
}  // namespace quadrille
