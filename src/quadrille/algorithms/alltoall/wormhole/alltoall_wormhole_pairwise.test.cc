// Pairwise exchange of worms: the least steps wherever displacements share no generator, and a reason where there is none.
#include <gtest/gtest.h>

#include <string_view>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_wormhole_pairwise;
}  // namespace algorithms

namespace alltoall_wormhole_pairwise_test {

TEST(WormholePairwise, TakesOneBlockAStepWithOnePort) {
  for (const std::string_view spec :
       {"hypercube(1)", "hypercube(2)", "hypercube(5)", "hypercube(7)", "torus(3,3)", "ring(3)",
        "complete(6)", "product(complete(3),complete(4),complete(2))", "product(complete(5),complete(5))"}) {
    for (const Routing routing : {Routing::kAny, Routing::kShortest, Routing::kDimensionOrder}) {
      Model model = ports(1);
      model.routing = routing;
      if (routing == Routing::kDimensionOrder && parse_topology(spec).product() == nullptr) continue;
      const Problem problem = worms_on(spec, model);
      EXPECT_EQ(judged_steps(algorithms::alltoall_wormhole_pairwise, problem),
                problem.topology().num_nodes() - 1)
          << spec;
    }
  }
}

TEST(WormholePairwise, PairsAHypercubesDisplacementsWithTheirComplements) {
  for (const uint32_t count : {2U, 3U, 0U}) {
    for (const auto& [spec, half] : {std::pair("hypercube(3)", 4U), std::pair("hypercube(4)", 8U),
                                     std::pair("hypercube(6)", 32U), std::pair("hypercube(7)", 64U)})
      EXPECT_EQ(judged_steps(algorithms::alltoall_wormhole_pairwise, worms_on(spec, ports(count))), half)
          << spec << " with " << count;
  }
}

TEST(WormholePairwise, FillsThePortsOfProductsOfCompleteGraphs) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t steps;
  };
  for (const Row& row :
       {Row{"product(complete(8),complete(8))", 2, 32}, Row{"product(complete(8),complete(8))", 4, 17},
        Row{"product(complete(8),complete(8))", 0, 8},
        Row{"product(complete(3),complete(4),complete(5))", 2, 30}, Row{"complete(9)", 3, 3},
        Row{"complete(9)", 0, 1}})
    EXPECT_LE(judged_steps(algorithms::alltoall_wormhole_pairwise, worms_on(row.spec, ports(row.ports))),
              row.steps)
        << row.spec << " with " << row.ports;
}

TEST(WormholePairwise, SendsAllPiecesOfABlockTogether) {
  const Problem problem = standard_problem(parse_topology("hypercube(4)"), CollectiveKind::kAlltoall,
                                           worms_on("hypercube(4)").model(), NodeId{0}, 3);
  EXPECT_EQ(judged_steps(algorithms::alltoall_wormhole_pairwise, problem), 15U);
}

TEST(WormholePairwise, SaysWhereSomeDisplacementTakesAGeneratorTwice) {
  for (const std::string_view spec : {"ring(4)", "torus(4,4)", "star(4)", "cube_connected_cycles(3)"}) {
    const Problem problem = worms_on(spec);
    ASSERT_TRUE(algorithms::alltoall_wormhole_pairwise.applies(problem).applies) << spec;
    EXPECT_FALSE(algorithms::alltoall_wormhole_pairwise.prepare(problem).fits.applies) << spec;
  }
  for (const std::string_view spec : {"mesh(2,3)", "clos(4)"})
    EXPECT_FALSE(algorithms::alltoall_wormhole_pairwise.applies(worms_on(spec)).applies) << spec;
}

}  // namespace alltoall_wormhole_pairwise_test
}  // namespace quadrille
