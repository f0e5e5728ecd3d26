#include "quadrille/topology/queries/metis_bisection.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace metis_bisection_test {

int64_t difference(const Topology& net, const Cut& cut) {
  int64_t out = 0;
  for (const NodeId v : net.endpoints()) out += cut.side[index(v)] != 0 ? 1 : -1;
  return std::abs(out);
}

TEST(MetisBisection, IsABisectionAndNeverBelowTheExactOne) {
  for (const std::string_view spec :
       {"torus(4,4)", "mesh(3,5)", "line(7)", "ring(9)", "complete(6)", "complete(7)", "hypercube(4)",
        "generalized_petersen(5,2)", "star(4)", "fat_tree(2^3;constant)", "fat_tree(3^2;exponential)",
        "line(2)", "tree(2^3)"}) {
    const Topology net = parse_topology(spec);
    const FoundBisection found = metis_bisection(net).value();
    EXPECT_LE(difference(net, found.cut), 1) << spec;
    EXPECT_FALSE(found.proved);
    const CutCapacity across = capacity_across(net, found.cut);
    EXPECT_EQ(found.capacity, std::min(across.out, across.in)) << spec;
    if (const auto exact = exact_bisection(net)) {
      EXPECT_GE(found.capacity, exact->capacity) << spec;
    }
  }
}

TEST(MetisBisection, FindsTheHalvesOfToriAndHypercubes) {
  EXPECT_EQ(metis_bisection(parse_topology("torus(16,8)")).value().capacity, 16U);
  EXPECT_EQ(metis_bisection(parse_topology("mesh(12,12)")).value().capacity, 12U);
  EXPECT_EQ(metis_bisection(parse_topology("hypercube(7)")).value().capacity, 64U);
}

TEST(MetisBisection, TakesDirectedGraphsAndOneEndpoint) {
  TopologyBuilder builder("one_way", 6);
  for (uint32_t i = 0; i < 6; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 6});
  const Topology net = builder.build();
  EXPECT_EQ(metis_bisection(net).value().capacity, 1U);
  EXPECT_FALSE(metis_bisection(parse_topology("line(1)")));
}

}  // namespace metis_bisection_test
}  // namespace quadrille
