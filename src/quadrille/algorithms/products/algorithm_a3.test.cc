#include "quadrille/algorithms/products/algorithm_a3.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/alltoall/products/factor_candidates.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace algorithm_a3_test {

constexpr std::string_view kPowers[] = {
    "mesh(2,2)",
    "mesh(3,3)",
    "mesh(5,5)",
    "mesh(3,1,3)",
    "torus(3,3)",
    "torus(4,4)",
    "torus(6,6)",
    "hypercube(4)",
    "mesh(3,3,3,3)",
    "torus(3,3,3,3)",
    "hypercube(8)",
    "product(star(3),star(3))",
    "product(generalized_petersen(5,2),generalized_petersen(5,2))",
    "generalized_hypercube(4,4)",
    "generalized_hypercube(3,3,3,3)",
};

Problem alltoall_on(std::string_view spec, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, {}, kNoNode, pieces);
}

Plan made(const AlgorithmA3& algorithm) {
  Plan plan;
  algorithm.generate(plan);
  return plan;
}

TEST(AlgorithmA3, TakesAsManyStepsAsNodesTimesTheFactor) {
  for (const std::string_view spec : kPowers) {
    for (const uint32_t pieces : {1U, 2U}) {
      const Problem problem = alltoall_on(spec, pieces);
      ASSERT_TRUE(is_even_power(problem.topology()).applies) << spec;
      const AlgorithmA3 algorithm(problem, factor_candidates());
      const Verdict verdict = verify(problem, made(algorithm)).verdict;
      ASSERT_TRUE(verdict.passed()) << spec << " " << to_text(verdict.findings.front());
      const Topology& factor = problem.topology().product()->factors.front();
      const uint64_t lines = problem.topology().num_nodes() / factor.num_nodes();
      EXPECT_EQ(verdict.figures.steps,
                pieces * lines * factor_exchange(factor, factor_candidates())->num_steps())
          << spec;
      EXPECT_EQ(verdict.figures.steps, algorithm.prediction().steps) << spec;
      EXPECT_EQ(verdict.figures.busiest_link, algorithm.prediction().busiest_link) << spec;
    }
  }
}

TEST(AlgorithmA3, NeedsEqualFactorsTwoFourOrEightOfThem) {
  const auto reason = [](std::string_view spec) { return is_even_power(parse_topology(spec)).reason; };
  EXPECT_EQ(reason("torus(3,4)"), "it needs equal factors; torus(3,4) has ring(3) and ring(4)");
  EXPECT_EQ(reason("torus(3,3,3)"), "it needs 2, 4, 8, .. dimensions; torus(3,3,3) has 3");
  EXPECT_EQ(reason("mesh(4)"), "it needs 2, 4, 8, .. dimensions; mesh(4) has 1");
  EXPECT_EQ(reason("star(4)"), "it needs a product of graphs; star(4) is none");
}

// The natural order of l turned left by r - 1, not by r as the text says.
TEST(AlgorithmA3, TheOffsetsTurnByOneLessThanTheRound) {
  for (uint32_t n = 2; n <= 9; ++n) {
    for (uint32_t r = 1; r < n; ++r) {
      std::vector<uint32_t> turned;
      for (uint32_t l = 1; l < n; ++l) turned.push_back(l);
      std::rotate(turned.begin(), turned.begin() + (r - 1), turned.end());
      for (uint32_t l = 1; l < n; ++l) EXPECT_EQ(a3_offset(n, r, l), turned[l - 1]) << n << " " << r;
    }
  }
}

// Line 11 to n - 1: the batch of TEB's round n - 1 stays at (i,j'), one message from every other node of B_i.
TEST(AlgorithmA3, AsPrintedTheLastBatchIsNeverDelivered) {
  for (const std::string_view spec : kPowers) {
    const Problem problem = alltoall_on(spec);
    const Verdict verdict =
        verify(problem, made(AlgorithmA3(problem, factor_candidates(), Print::kAsPrinted))).verdict;
    EXPECT_FALSE(verdict.passed()) << spec;
    if (problem.topology().product()->factors.size() != 2) continue;
    const uint64_t n = problem.topology().product()->factors.front().num_nodes();
    EXPECT_EQ(verdict.total_findings, n * n * (n - 1)) << spec;
    for (const Finding& finding : verdict.findings) EXPECT_EQ(finding.rule, "delivered") << to_text(finding);
  }
}

}  // namespace algorithm_a3_test
}  // namespace quadrille
