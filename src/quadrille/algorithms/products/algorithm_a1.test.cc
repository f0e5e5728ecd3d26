#include "quadrille/algorithms/products/algorithm_a1.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace algorithm_a1_test {

constexpr std::string_view kProducts[] = {
    "mesh(1,1)",
    "mesh(1,2)",
    "mesh(2,1)",
    "mesh(2,2)",
    "mesh(1,5)",
    "mesh(3,4)",
    "mesh(4,3)",
    "torus(5,3)",
    "torus(4,6)",
    "product(star(3),ring(4))",
    "product(ring(5),tree(2,2))",
    "product(generalized_petersen(5,2),line(3))",
    "product(line(3),generalized_petersen(5,2))",
    "product(complete(4),star(3),line(2))",
    "mesh(2,1,3)",
    "mesh(3,2,2,2)",
    "hypercube(5)",
};

Problem alltoall_on(std::string_view spec, uint32_t count, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, ports(count), kNoNode, pieces);
}

Plan made(const AlgorithmA1& algorithm) {
  Plan plan;
  algorithm.generate(plan);
  return plan;
}

uint64_t undelivered(const Problem& problem, Print print, CopiesOfB copies = CopiesOfB::kOneAfterAnother) {
  const Verdict verdict =
      verify(problem, made(AlgorithmA1(problem, factor_candidates(), copies, print)), {.max_findings = 1000})
          .verdict;
  for (const Finding& finding : verdict.findings) EXPECT_EQ(finding.rule, "delivered") << to_text(finding);
  return verdict.total_findings;
}

TEST(AlgorithmA1, IsATotalExchangeOfEveryProduct) {
  for (const std::string_view spec : kProducts) {
    for (const uint32_t count : {0U, 1U}) {
      for (const uint32_t pieces : {1U, 3U}) {
        for (const CopiesOfB copies : {CopiesOfB::kOneAfterAnother, CopiesOfB::kAllAtOnce}) {
          const Problem problem = alltoall_on(spec, count, pieces);
          const AlgorithmA1 algorithm(problem, factor_candidates(), copies);
          const Verdict verdict = verify(problem, made(algorithm)).verdict;
          ASSERT_TRUE(verdict.passed()) << spec << " " << to_text(verdict.findings.front());
          EXPECT_EQ(verdict.figures.steps, algorithm.prediction().steps) << spec;
          EXPECT_EQ(verdict.figures.busiest_link, algorithm.prediction().busiest_link) << spec;
        }
      }
    }
  }
}

// T_A of the first factor, and the sum of all distances of the second.
TEST(AlgorithmA1, TakesTheStepsOfTheFormula) {
  for (const std::string_view spec : {"mesh(3,4)", "torus(5,3)", "product(star(3),ring(4))",
                                      "product(line(3),generalized_petersen(5,2))"}) {
    const Problem problem = alltoall_on(spec, 1);
    const TwoFactors net(problem.topology(), 1);
    uint64_t distances = 0;
    for (const NodeId v : net.b().nodes()) distances += status(net.b(), v);
    const uint64_t moved = uint64_t{net.n2()} * (net.n2() - 1) * (net.n1() - 1) + distances;
    const uint64_t missing = uint64_t{net.n1() - 1} * distances;
    const uint64_t rounds =
        net.n2() *
        factor_exchange(net.a(), factor_candidates(), 1, model_of_factor(problem, net.a()))->num_steps();
    const auto steps = [&](CopiesOfB copies) {
      return AlgorithmA1(problem, factor_candidates(), copies).prediction().steps;
    };
    EXPECT_EQ(steps(CopiesOfB::kAllAtOnce), moved + rounds) << spec;
    EXPECT_EQ(steps(CopiesOfB::kOneAfterAnother),
              net.n1() * (moved - distances) + distances + missing + rounds)
        << spec;
  }
}

// Line 3 with k != i: what (i,j) has for the copy A_i stays where it is.
TEST(AlgorithmA1, AsPrintedLosesMessages) {
  EXPECT_EQ(undelivered(alltoall_on("mesh(1,2)", 1), Print::kAsPrinted), 1U);
  EXPECT_EQ(undelivered(alltoall_on("mesh(2,2)", 1), Print::kAsPrinted), 4U);
  EXPECT_EQ(undelivered(alltoall_on("mesh(2,1)", 1), Print::kAsPrinted), 0U)
      << "with one copy nothing is moved";
  for (const std::string_view spec : kProducts) {
    const Problem problem = alltoall_on(spec, 1);
    EXPECT_EQ(undelivered(problem, Print::kCorrected), 0U) << spec;
    if (problem.topology().product()->factors.size() != 2) continue;
    const TwoFactors net(problem.topology(), 1);
    const uint64_t stay = std::min(net.n1(), net.n2());  // pairs with k = i, each for n_2 - 1 nodes
    EXPECT_EQ(undelivered(problem, Print::kAsPrinted), stay * (net.n2() - 1) * net.n1()) << spec;
  }
  // In the improved form of section 5.3 the condition is right.
  EXPECT_EQ(undelivered(alltoall_on("mesh(2,2)", 1), Print::kCorrected, CopiesOfB::kAllAtOnce), 0U);
}

TEST(AlgorithmA1, TransfersUseLinksOfTheirCopyOfBOnly) {
  const Problem problem = alltoall_on("product(star(3),ring(4))", 1);
  const TwoFactors net(problem.topology(), 1);
  const AlgorithmA1 algorithm(problem, factor_candidates(), CopiesOfB::kAllAtOnce);
  const Plan plan = made(algorithm);
  const uint64_t rounds = net.n2() * 9;  // T_A = 9 on the star graph of six nodes
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    for (const ArcId arc : plan.step(s).all_arcs) {
      const uint64_t tail = index(problem.topology().tail(arc));
      const uint64_t head = index(problem.topology().head(arc));
      EXPECT_EQ(tail / net.n2() == head / net.n2(), s + rounds < plan.num_steps()) << s;
    }
  }
}

}  // namespace algorithm_a1_test
}  // namespace quadrille
