// One-port sums: what the formula finds passes the judge, with symmetries and without, and where nobody can have heard from all in
// time it is refuted.
#include "quadrille/algorithms/partial_sums/one_port_sums.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/search/everybody_informed.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace one_port_sums_test {

Problem on(std::string_view spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, ports(1));
}

SearchAnswer asked(const OnePortSums& sums) {
  return solve(sums.formula(), {.conflicts = 20'000, .focus = SearchFocus::kSteady});
}

void expect_plan(std::string_view spec, uint32_t steps, bool symmetric) {
  const Problem problem = on(spec);
  const std::vector<FreeGroup> groups = *free_groups(problem.topology());
  const FreeGroup& group = symmetric ? groups.front() : groups.back();
  const OnePortSums sums(problem, group, steps);
  const SearchAnswer answer = asked(sums);
  ASSERT_TRUE(answer.satisfiable()) << spec << ", " << steps << " steps, " << group.order() << " images";
  const SumPlan plan = sums.plan(answer);
  const std::optional<std::vector<SumSlots>> slots = slots_of(problem.topology(), plan);
  ASSERT_TRUE(slots.has_value()) << spec;
  Plan made;
  push_sums(problem, plan, *slots, made);
  EXPECT_EQ(made.num_steps(), steps) << spec;
  EXPECT_TRUE(verify(problem, std::move(made)).verdict.passed()) << spec;
}

TEST(OnePortSums, FindPlansThatTheJudgePasses) {
  expect_plan("line(2)", 1, false);
  expect_plan("line(3)", 3, false);
  expect_plan("line(6)", 6, false);
  expect_plan("ring(5)", 4, false);
  expect_plan("ring(8)", 4, false);
  expect_plan("complete(7)", 4, false);
  expect_plan("mesh(3,3)", 6, false);
  expect_plan("hypercube(4)", 4, false);
  expect_plan("de_bruijn(2,3)", 7, false);  // links that lead one way
  expect_plan("gpu_box(4,2)", 6, false);    // routers on the way
  expect_plan("random_regular(12,3;1)", 6, false);
}

TEST(OnePortSums, FindPlansThatLookAlikeFromAllImages) {
  expect_plan("hypercube(3)", 3, true);
  expect_plan("hypercube(4)", 4, true);
  expect_plan("complete(8)", 3, true);
}

TEST(OnePortSums, AreRefutedWhereNewsComeTooLate) {
  for (const std::string_view spec : {"line(3)", "line(7)", "ring(9)", "tree(2^2)"}) {
    const Problem problem = on(spec);
    const uint32_t floor = informed_floor(problem.topology(), {1, 1}, 1, 5'000).steps;
    const std::vector<FreeGroup> groups = *free_groups(problem.topology());
    ASSERT_GT(floor, 1U) << spec;
    EXPECT_TRUE(asked(OnePortSums(problem, groups.back(), floor - 1)).unsatisfiable()) << spec;
  }
}

}  // namespace one_port_sums_test
}  // namespace quadrille
