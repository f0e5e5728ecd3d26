// Allreduce of one block on networks too large to be searched: sums in good time, and along walks.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/partial_sums/new_sums.h"
#include "quadrille/algorithms/partial_sums/several_centres.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/ring_of_cliques.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_bfs_tree;
extern const Algorithm allreduce_sums;
extern const Algorithm allreduce_walks;
}  // namespace algorithms

namespace large_sums_test {

Problem on(const Topology& net, uint32_t ports = 0) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(net, CollectiveKind::kAllreduce, model);
}
Problem on(std::string_view spec, uint32_t ports = 0) { return on(parse_topology(spec), ports); }

TEST(AllreduceSums, TakesNoMoreStepsThanTheNetworkIsWide) {
  for (const std::string_view spec : {"line(64)", "line(65)", "tree(2,2,2,2,2)", "tree(40)",
                                      "megafly(3,4,4,3)", "xgft(8,16;1,8)", "mesh(5,8)"}) {
    const Problem problem = on(spec);
    uint32_t wide = 0;
    for (const NodeId v : problem.topology().endpoints()) {
      const auto hops = distances_from(problem.topology(), v);
      for (const NodeId w : problem.topology().endpoints()) wide = std::max(wide, hops[index(w)]);
    }
    EXPECT_EQ(judged_steps(algorithms::allreduce_sums, problem), wide) << spec;
  }
  EXPECT_EQ(judged_steps(algorithms::allreduce_sums, on(ring_of_cliques(7, 6))), 7U);
}

TEST(AllreduceSums, IsNeverLongerThanTwoBreadthFirstTrees) {
  for (const std::string spec : {"random_regular(36,3;1)", "random_regular(90,4;2)", "jellyfish(16,4,2;1)",
                                 "dragonfly(2,4,2)", "torus(5,7)", "hypercube(6)", "fat_tree(2,6)"}) {
    for (const uint32_t ports : {0U, 1U, 2U}) {
      const Problem problem = on(spec, ports);
      EXPECT_LE(judged_steps(algorithms::allreduce_sums, problem),
                judged_steps(algorithms::allreduce_bfs_tree, problem) + (ports > 0 ? 2 : 0))
          << spec << ", ports " << ports;
    }
  }
}

TEST(AllreduceSums, KnowsLinksThatLeadOneWay) {
  for (const std::string spec : {"generalized_kautz(60,3)", "generalized_de_bruijn(50,2)", "kautz(2,4)",
                                 "de_bruijn(2,3)", "generalized_kautz(7,2)"}) {
    const Problem problem = on(spec);
    EXPECT_LE(judged_steps(algorithms::allreduce_sums, problem),
              judged_steps(algorithms::allreduce_bfs_tree, problem))
        << spec;
    EXPECT_FALSE(algorithms::allreduce_sums.applies(on(spec, 1)).applies) << spec;
  }
}

TEST(NewSums, ComesToAHaltWhereWaysMeetAgain) {
  EXPECT_FALSE(new_sums(parse_topology("random_regular(144,3;4)"), 100));
  EXPECT_TRUE(new_sums(parse_topology("line(9)"), 9));
  EXPECT_FALSE(new_sums(parse_topology("line(9)"), 8));
}

TEST(SumsOfCentres, AreSoonerThanThoseOfOne) {
  for (const auto& [spec, most] : {std::pair{"random_regular(144,3;4)", 12U},
                                   {"random_regular(200,5;1)", 8U},
                                   {"jellyfish(32,4,4;1)", 7U}}) {
    const Problem problem = on(spec);
    const std::optional<Plan> plan = sums_of_centres(problem, 1, 100);
    ASSERT_TRUE(plan) << spec;
    EXPECT_TRUE(verify(problem, *plan).schedule.has_value()) << spec;
    EXPECT_LE(plan->num_steps(), most) << spec;
    EXPECT_FALSE(sums_of_centres(problem, 1, static_cast<uint32_t>(plan->num_steps()))) << spec;
  }
}

TEST(AllreduceWalks, TakesAStepMoreThanTheDiameterForEachPort) {
  for (const auto& [spec, degree, diameter] : {std::tuple{"de_bruijn(2,2)", 2U, 2U},
                                               {"de_bruijn(2,7)", 2U, 7U},
                                               {"de_bruijn(3,4)", 3U, 4U},
                                               {"kautz(2,2)", 2U, 2U},
                                               {"kautz(2,6)", 2U, 6U},
                                               {"kautz(4,3)", 4U, 3U}}) {
    EXPECT_EQ(judged_steps(algorithms::allreduce_walks, on(spec)), diameter + 1) << spec;
    EXPECT_EQ(judged_steps(algorithms::allreduce_walks, on(spec, 1)), degree * diameter + 1) << spec;
    EXPECT_EQ(judged_steps(algorithms::allreduce_walks, on(spec, 2)), (degree + 1) / 2 * diameter + 1)
        << spec;
  }
}

TEST(AllreduceWalks, NeedsOneWalkFromEachToEach) {
  for (const std::string_view spec :
       {"generalized_de_bruijn(12,2)", "generalized_kautz(14,3)", "hypercube(4)", "torus(4,4)", "line(4)",
        "line(1)", "complete(4)", "de_bruijn(20,2)"})
    EXPECT_FALSE(algorithms::allreduce_walks.applies(on(spec)).applies) << spec;
}

// As many ports as links out are not all where more links lead in.
TEST(AllreduceSums, CountsLinksThatLeadIn) {
  TopologyBuilder builder("one way in", 4);
  builder.link(NodeId{0}, NodeId{1});
  builder.link(NodeId{0}, NodeId{2});
  builder.arc(NodeId{1}, NodeId{3});
  builder.arc(NodeId{3}, NodeId{0});
  const Topology net = builder.build();
  EXPECT_FALSE(algorithms::allreduce_sums.applies(on(net, 2)).applies);
  EXPECT_GT(judged_steps(algorithms::allreduce_sums, on(net)), 0U);
}

}  // namespace large_sums_test
}  // namespace quadrille
