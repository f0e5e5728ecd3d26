#include "quadrille/search/formula.h"

#include <gtest/gtest.h>

#include "quadrille/base/check.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace formula_test {

// How many of the 2^n ways to set the first n variables can be completed, by how many of them are true.
std::vector<int> completions_by_count(const Formula& formula, int n) {
  std::vector<int> count(static_cast<size_t>(n) + 1);
  for (uint32_t set = 0; set < (1U << static_cast<uint32_t>(n)); ++set) {
    Formula fixed = formula;
    size_t ones = 0;
    for (int v = 1; v <= n; ++v) {
      const bool on = ((set >> static_cast<uint32_t>(v - 1)) & 1U) != 0;
      ones += on ? 1 : 0;
      fixed.add({on ? v : -v});
    }
    if (solve(fixed).satisfiable()) ++count[ones];
  }
  return count;
}

std::vector<int> first(Formula& formula, int n) {
  std::vector<int> literals;
  for (int i = 0; i < n; ++i) literals.push_back(formula.variable());
  return literals;
}

TEST(Formula, AtMostOneAllowsNoneAndEachAlone) {
  for (int n = 0; n <= 9; ++n) {
    Formula formula;
    formula.at_most_one(first(formula, n));
    std::vector<int> expected(static_cast<size_t>(n) + 1);
    expected[0] = 1;
    if (n > 0) expected[1] = n;
    EXPECT_EQ(completions_by_count(formula, n), expected) << n;
  }
}

TEST(Formula, ExactlyOneAllowsEachAlone) {
  Formula formula;
  formula.exactly_one(first(formula, 8));
  EXPECT_EQ(completions_by_count(formula, 8), (std::vector<int>{0, 8, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Formula, AtMostCounts) {
  const std::vector<int> binomials = {1, 6, 15, 20, 15, 6, 1};
  for (size_t limit = 0; limit <= 7; ++limit) {
    Formula formula;
    formula.at_most(first(formula, 6), limit);
    std::vector<int> expected = binomials;
    for (size_t ones = limit + 1; ones < expected.size(); ++ones) expected[ones] = 0;
    EXPECT_EQ(completions_by_count(formula, 6), expected) << limit;
  }
}

TEST(Formula, PrintsTheTextThatOtherSolversRead) {
  Formula formula;
  const int a = formula.variables(2);
  formula.add({-a, a + 1});
  formula.add({});
  EXPECT_EQ(formula.to_dimacs(), "p cnf 2 2\n-1 2 0\n0\n");
}

TEST(Formula, RefusesAVariableThatWasNotMade) {
  Formula formula;
  EXPECT_THROW(formula.add({1}), InternalError);
}

}  // namespace formula_test
}  // namespace quadrille
