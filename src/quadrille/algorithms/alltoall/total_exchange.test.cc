// Step counts of total exchanges that the suite's small problems do not reach, and that they meet the bounds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

// Judged steps; 0 when the judge finds a fault.
uint64_t judged_steps(const Algorithm& card, const Problem& problem) {
  Judge judge(problem, {.threads = 1});
  card.generate(problem, judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << " on " << problem.topology().name();
  return verdict.passed() ? verdict.figures.steps : 0;
}

Problem multiport(const std::string& spec) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall);
}

// The card's plan passes, is as long as claimed, and as short as some bound proves.
void expect_optimal(const Algorithm& card, const std::string& spec) {
  const Problem problem = multiport(spec);
  ASSERT_TRUE(card.applies(problem).applies) << card.name << " on " << spec;
  const uint64_t steps = judged_steps(card, problem);
  EXPECT_EQ(steps, *card.claimed(problem).steps) << card.name << " on " << spec;
  EXPECT_EQ(static_cast<int64_t>(steps), best_bound(problem).value.ceil()) << card.name << " on " << spec;
}

TEST(TotalExchange, ToriTakeTheStepsThatArithmeticSays) {
  const std::vector<std::pair<std::string, uint64_t>> known = {
      {"torus(6,6)", 27},   {"torus(5,6)", 23},   {"torus(3,3,6)", 41}, {"torus(3,4,5)", 36},
      {"hypercube(7)", 64}, {"torus(5,5,5)", 75}, {"torus(6,3)", 14},   {"torus(3,3,3,3)", 27}};
  for (const auto& [spec, steps] : known)
    EXPECT_EQ(judged_steps(algorithms::alltoall_torus, multiport(spec)), steps) << spec;
}

TEST(TotalExchange, EveryTorusOfTwoDimensionsMeetsItsBound) {
  for (uint32_t a = 2; a <= 9; ++a) {
    for (uint32_t b = a; b <= 9; ++b)
      expect_optimal(algorithms::alltoall_torus, fmt::format("torus({},{})", a, b));
  }
}

}  // namespace
}  // namespace quadrille
