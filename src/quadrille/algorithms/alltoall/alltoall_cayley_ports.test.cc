// Total exchange on Cayley graphs with two ports and more, through the judge: whole where that takes a moment, else at one
// node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_cayley_ports;
}  // namespace algorithms

namespace alltoall_cayley_ports_test {

using ::testing::HasSubstr;

Problem exchange(const std::string& spec, const Model& model = {}, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model, kNoNode, pieces);
}

uint64_t steps_on(const std::string& spec, const Model& model = {}, uint32_t pieces = 1) {
  return judged_steps(algorithms::alltoall_cayley_ports, exchange(spec, model, pieces));
}

uint64_t bound_on(const std::string& spec, const Model& model = {}, uint32_t pieces = 1) {
  return static_cast<uint64_t>(best_bound(exchange(spec, model, pieces)).value.ceil());
}

std::string why_not(const std::string& spec, const Model& model = {}) {
  return prepare(algorithms::alltoall_cayley_ports, exchange(spec, model)).fits.reason;
}

TEST(AlltoallCayleyPorts, WithAllPortsMeetsTheBound) {
  for (const std::string spec : {"ring(3)",
                                 "ring(5)",
                                 "star(3)",
                                 "star(4)",
                                 "star(5)",
                                 "star(6)",
                                 "pancake(4)",
                                 "pancake(5)",
                                 "cube_connected_cycles(3)",
                                 "cube_connected_cycles(4)",
                                 "cube_connected_cycles(6)",
                                 "butterfly(3)",
                                 "butterfly(4)",
                                 "butterfly(6)",
                                 "complete(5)",
                                 "cayley(Z(3);1,2)",
                                 "cayley(S(3);(0 1),(1 2))",
                                 "cayley(S(4);(0 1),(1 2),(2 3))",
                                 "cayley(S(5);(0 1),(1 2),(2 3),(3 4))",
                                 "cayley(S(4);(1 2 3),(1 3 2),(0 1 2),(0 2 1))",
                                 "hypercube(6)",
                                 "torus(4,5)",
                                 "product(star(4),ring(5))"})
    EXPECT_EQ(steps_on(spec), bound_on(spec)) << spec;
}

TEST(AlltoallCayleyPorts, LargeOnesMeetItAtOneNode) {
  Sample some(2);
  for (const std::string spec : {"star(7)", "star(8)", "cube_connected_cycles(8)", "cube_connected_cycles(9)",
                                 "cayley(S(7);(0 1),(1 2),(2 3),(3 4),(4 5),(5 6))", "butterfly(9)"}) {
    if (!some.takes()) continue;
    const Problem problem = exchange(spec);
    SymmetricJudge judge(problem);
    const PreparedPlan plan = algorithms::alltoall_cayley_ports.plan_for(problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_EQ(verdict.total_findings, 0U) << spec;
    EXPECT_EQ(verdict.figures.steps, *plan->prediction().steps) << spec;
    EXPECT_EQ(verdict.figures.busiest_link, *plan->prediction().busiest_link) << spec;
    EXPECT_EQ(verdict.figures.steps, bound_on(spec)) << spec;
  }
}

TEST(AlltoallCayleyPorts, AnyNumberOfPortsOnEitherSide) {
  for (const std::string spec : {"star(5)", "pancake(4)", "butterfly(4)", "cube_connected_cycles(4)"}) {
    for (const Model& model : {ports(2), ports(3), ports(0, 2), ports(2, 0), ports(3, 2)})
      EXPECT_EQ(steps_on(spec, model), bound_on(spec, model)) << spec << ' ' << describe(model);
  }
}

TEST(AlltoallCayleyPorts, PiecesTogetherAndOneByOne) {
  EXPECT_EQ(steps_on("star(4)", {}, 3), 62U) << "21 for each would be 63";
  EXPECT_EQ(steps_on("star(5)", {}, 2), bound_on("star(5)", {}, 2));
  EXPECT_EQ(steps_on("ring(3)", {}, 5), 5U);
  // Too many hops for one search.
  EXPECT_EQ(*algorithms::alltoall_cayley_ports.plan_for(exchange("star(7)", {}, 40))->prediction().steps,
            40U * 4938U);
}

TEST(AlltoallCayleyPorts, SaysWhyNot) {
  EXPECT_THAT(why_not("star(4)", ports(1)), HasSubstr("with one port alltoall_cayley is optimal"));
  EXPECT_THAT(why_not("ring(2)"), HasSubstr("with one port"));
  EXPECT_THAT(why_not("star(1)"), HasSubstr("a single node has nothing to exchange"));
  EXPECT_THAT(why_not("mesh(3,3)"), HasSubstr("it needs a Cayley graph"));
  EXPECT_THAT(why_not("kautz(2,3)"), HasSubstr("it needs a Cayley graph"));
  EXPECT_THAT(why_not("ring(6)", {.duplex = Duplex::kHalf}),
              HasSubstr("half duplex: two generators may use a link both ways"));
  EXPECT_THAT(why_not("star(4)", {.duplex = Duplex::kHalf}), HasSubstr("is its own inverse"));
  EXPECT_EQ(why_not("ring(20000)"),
            "it follows every hop of one node's blocks: up to 16,777,216, ring(20000) has 100,000,000");
}

}  // namespace alltoall_cayley_ports_test
}  // namespace quadrille
