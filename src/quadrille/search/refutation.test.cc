#include "quadrille/search/refutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "quadrille/base/random.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace refutation_test {

using ::testing::HasSubstr;

// A line of a binary DRAT proof with small literals.
std::string line(char kind, std::initializer_list<int> literals) {
  std::string bytes(1, kind);
  for (const int literal : literals) bytes += static_cast<char>(literal > 0 ? 2 * literal : 1 - 2 * literal);
  return bytes + '\0';
}

// All four clauses of two variables.
Formula square() {
  Formula formula;
  const int a = formula.variables(2);
  const int b = a + 1;
  formula.add({a, b});
  formula.add({a, -b});
  formula.add({-a, b});
  formula.add({-a, -b});
  return formula;
}

// More pigeons than holes, every hole for one.
Formula pigeons(int count, int holes) {
  Formula formula;
  std::vector<std::vector<int>> in(static_cast<size_t>(holes));
  for (int p = 0; p < count; ++p) {
    std::vector<int> somewhere;
    for (std::vector<int>& hole : in) {
      somewhere.push_back(formula.variable());
      hole.push_back(somewhere.back());
    }
    formula.add(somewhere);
  }
  for (const std::vector<int>& hole : in) formula.at_most_one(hole);
  return formula;
}

TEST(Refutation, AcceptsAProofByHand) {
  const RefutationCheck check = check_refutation(square(), line('a', {1}));
  EXPECT_TRUE(check.refutes) << check.why;
  EXPECT_EQ(check.lemmas, 1U);
  EXPECT_EQ(check.core, 4U);
}

TEST(Refutation, RefusesALemmaThatDoesNotFollow) {
  Formula formula;
  formula.variables(2);
  formula.add({1, 2});
  const RefutationCheck check = check_refutation(formula, line('a', {1}) + line('a', {-1}));
  EXPECT_FALSE(check.refutes);
  EXPECT_EQ(check.why, "lemma 1 does not follow by unit propagation");
}

TEST(Refutation, BackwardsOnlyWhatIsNeededHasToFollow) {
  Formula formula = square();
  const int c = formula.variable();
  // That c is true follows from nothing, and nothing follows from it.
  const std::string idle = line('a', {c}) + line('a', {1});
  EXPECT_FALSE(check_refutation(formula, idle).refutes);
  EXPECT_TRUE(check_what_is_needed(formula, idle).refutes);
  Formula possible;
  possible.variables(2);
  possible.add({1, 2});
  const RefutationCheck check = check_what_is_needed(possible, line('a', {1}) + line('a', {-1}));
  EXPECT_FALSE(check.refutes);
  EXPECT_EQ(check.why, "lemma 2 does not follow by unit propagation");
  EXPECT_FALSE(check_what_is_needed(square(), line('d', {2, 1}) + line('a', {1})).refutes);
  EXPECT_TRUE(check_what_is_needed(square(), line('a', {1, 2}) + line('d', {2, 1}) + line('a', {1})).refutes);
  EXPECT_EQ(check_what_is_needed(square(), "").why, "no contradiction after 0 lemmas");
}

// Proofs of others, with lemmas left out, put elsewhere and changed: no formula with a solution is refuted by any.
TEST(Refutation, BackwardsNothingRefutesWhatHasASolution) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    Formula formula;
    const size_t n = 8 + rng.below(12);
    formula.variables(n);
    std::vector<int> solution;
    for (size_t v = 1; v <= n; ++v)
      solution.push_back(rng.below(2) == 0 ? static_cast<int>(v) : -static_cast<int>(v));
    std::string proof;
    for (size_t i = 0; i < n * 5; ++i) {
      std::vector<int> clause;
      for (int k = 0; k < 3; ++k) {
        const int v = static_cast<int>(1 + rng.below(n));
        clause.push_back(rng.below(2) == 0 ? v : -v);
      }
      clause.push_back(solution[rng.below(n)]);
      formula.add(clause);
      const int a = static_cast<int>(1 + rng.below(n));
      const int b = static_cast<int>(1 + rng.below(n));
      proof += line(rng.below(4) == 0 ? 'd' : 'a', {rng.below(2) == 0 ? a : -a, rng.below(2) == 0 ? b : -b});
      if (rng.below(8) == 0) proof += line('a', {rng.below(2) == 0 ? a : -a});
    }
    EXPECT_FALSE(check_what_is_needed(formula, proof).refutes) << round;
  }
}

TEST(Refutation, RefusesAProofThatStopsEarly) {
  EXPECT_EQ(check_refutation(square(), "").why, "no contradiction after 0 lemmas");
  EXPECT_EQ(check_refutation(square(), line('a', {1, 2})).why, "no contradiction after 1 lemmas");
}

TEST(Refutation, RefusesAClauseThatWasDeleted) {
  EXPECT_FALSE(check_refutation(square(), line('d', {2, 1}) + line('a', {1})).refutes);
  EXPECT_FALSE(check_refutation(square(), line('d', {2, 1}) + line('a', {2})).refutes);
  EXPECT_TRUE(check_refutation(square(), line('a', {1, 2}) + line('d', {2, 1}) + line('a', {1})).refutes);
}

TEST(Refutation, RefusesBytesThatAreNoProof) {
  EXPECT_EQ(check_refutation(square(), "p cnf").why, "byte 0 starts no line of a binary DRAT proof");
  EXPECT_THAT(check_refutation(square(), line('a', {1, 2}) + "a\x02").why,
              HasSubstr("byte 4 starts no line"));
  EXPECT_THAT(check_refutation(square(), line('a', {3})).why, HasSubstr("the formula has 2 variables"));
  EXPECT_FALSE(check_refutation(square(), "a\xff\xff\xff\xff\xff\xff").refutes);
}

TEST(Refutation, NeedsNoLemmaWhenTheFormulaContradictsItself) {
  Formula formula;
  formula.add({});
  EXPECT_TRUE(check_refutation(formula, "").refutes);
  Formula units;
  units.variables(2);
  units.add({1});
  units.add({-1, 2});
  units.add({-2});
  EXPECT_TRUE(check_refutation(units, "").refutes);
}

TEST(Refutation, EveryProofOfTheSearchPassesAndSoDoesItsTrimmedForm) {
  for (const int holes : {3, 4, 5, 6, 7}) {
    const Formula formula = pigeons(holes + 1, holes);
    const SearchAnswer answer = solve(formula, {.conflicts = 100'000, .want_proof = true});
    ASSERT_TRUE(answer.unsatisfiable());
    const RefutationCheck check = check_refutation(formula, answer.proof);
    ASSERT_TRUE(check.refutes) << check.why;
    const std::string small = trimmed(formula, answer.proof);
    EXPECT_LE(small.size(), answer.proof.size());
    const RefutationCheck again = check_refutation(formula, small);
    EXPECT_TRUE(again.refutes) << again.why;
    for (const std::string& proof : {answer.proof, small}) {
      const RefutationCheck backwards = check_what_is_needed(formula, proof);
      EXPECT_TRUE(backwards.refutes) << backwards.why;
      EXPECT_EQ(backwards.lemmas, check_refutation(formula, proof).lemmas);
      EXPECT_FALSE(check_what_is_needed(pigeons(holes, holes), proof).refutes);
    }
    // Nor does it refute what can be satisfied.
    EXPECT_FALSE(check_refutation(pigeons(holes, holes), small).refutes);
  }
}

TEST(Refutation, NeverRefutesARandomFormulaThatHasASolution) {
  Rng rng(5);
  int refuted = 0;
  for (int round = 0; round < 300; ++round) {
    Formula formula;
    const size_t n = 6 + rng.below(20);
    formula.variables(n);
    for (size_t i = 0; i < n * 43 / 10; ++i) {
      std::vector<int> clause;
      for (int k = 0; k < 3; ++k) {
        const int v = static_cast<int>(1 + rng.below(n));
        clause.push_back(rng.below(2) == 0 ? v : -v);
      }
      formula.add(clause);
    }
    const SearchAnswer answer = solve(formula, {.want_proof = true});
    if (answer.unsatisfiable()) {
      ++refuted;
      EXPECT_TRUE(check_refutation(formula, answer.proof).refutes);
      EXPECT_TRUE(check_what_is_needed(formula, answer.proof).refutes);
      continue;
    }
    ASSERT_TRUE(answer.satisfiable());
    for (size_t i = 0; i < formula.num_clauses(); ++i) {
      const std::span<const int> clause = formula.clause(i);
      EXPECT_TRUE(std::any_of(clause.begin(), clause.end(), [&](int l) { return answer.value(l); }));
    }
  }
  EXPECT_GT(refuted, 50);
}

TEST(Solve, GivesUpAfterItsConflictsAndSaysNothing) {
  const SearchAnswer answer = solve(pigeons(11, 10), {.conflicts = 50});
  EXPECT_EQ(answer.outcome, SearchOutcome::kUndecided);
  EXPECT_TRUE(answer.proof.empty());
}

TEST(Solve, TwoRunsGiveTheSameBytes) {
  const Formula formula = pigeons(7, 6);
  for (const SearchFocus focus :
       {SearchFocus::kEither, SearchFocus::kSolutions, SearchFocus::kSteady, SearchFocus::kProofs}) {
    const SearchSettings settings{.focus = focus, .seed = 3, .want_proof = true};
    EXPECT_EQ(solve(formula, settings).proof, solve(formula, settings).proof);
  }
  const Formula easy = pigeons(12, 14);
  EXPECT_EQ(solve(easy).values, solve(easy).values);
}

}  // namespace refutation_test
}  // namespace quadrille
