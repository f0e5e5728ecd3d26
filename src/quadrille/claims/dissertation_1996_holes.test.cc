// Section 6.3.3.1 of the 1996 dissertation: how often a leaf of a fat tree with exponential capacities receives nothing
// in a total exchange, and what follows for the time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/rational.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_fat_tree_queue_free;
extern const Algorithm alltoall_fat_tree_shifts;
}  // namespace algorithms

namespace dissertation_1996_holes_test {

// A tree with exponential capacities: k^h leaves.
struct Tree {
  int64_t k;
  int64_t h;
  [[nodiscard]] int64_t power(int64_t exponent) const {
    int64_t out = 1;
    for (int64_t i = 0; i < exponent; ++i) out *= k;
    return out;
  }
  [[nodiscard]] int64_t leaves() const { return power(h); }
  [[nodiscard]] double log_of_height() const {
    return std::log(static_cast<double>(h)) / std::log(static_cast<double>(k));
  }
  [[nodiscard]] std::string spec() const { return fmt::format("fat_tree({}^{};exponential)", k, h); }
  // The best times of theorem 6.10's row, which plans and a bound meet.
  [[nodiscard]] int64_t least_steps() const { return leaves() + 2 * h - 2 - (k == 2 && h >= 3 ? 1 : 0); }
};

std::vector<Tree> trees(int64_t most_leaves, int64_t least_height) {
  std::vector<Tree> out;
  for (int64_t k = 2; k <= 9; ++k) {
    for (Tree tree{k, least_height}; tree.leaves() <= most_leaves; ++tree.h) out.push_back(tree);
  }
  return out;
}

// What w T must be at least by (6.6): with the steps of a period as printed, 2(h-i+1), or one less.
enum class Period { kAsPrinted, kOneLess };
Rational holes_times_steps(const Tree& tree, int64_t i, Period period) {
  return Rational(tree.leaves()) * (Rational(1) - Rational::of(1, tree.power(i))) *
         Rational(2 * (tree.h - i + 1) - (period == Period::kOneLess ? 1 : 0));
}

// The fewest steps that (6.6) for one i and (6.7) allow: w is at most T - (n - 1), and w T must be so much.
int64_t least_steps_by(const Tree& tree, int64_t i, Period period) {
  int64_t steps = tree.leaves() - 1;
  while (Rational(steps) * Rational(steps - tree.leaves() + 1) < holes_times_steps(tree, i, period)) ++steps;
  return steps;
}

// Steps in which a leaf receives nothing, on average over the leaves.
Rational holes(const Problem& problem, const Plan& plan) {
  const Topology& net = problem.topology();
  const auto leaves = static_cast<int64_t>(net.num_endpoints());
  int64_t received = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId to = net.head(step.arcs(t).back());
      received += static_cast<int64_t>(index(to)) < leaves ? 1 : 0;
    }
  }
  return Rational::of(static_cast<int64_t>(plan.num_steps()) * leaves - received, leaves);
}

TEST(DissertationClaims, leaves_of_fat_trees_idle_as_often_as_6_7_says_and_less_than_6_6_does) {
  for (const Tree& tree : trees(81, 2)) {
    const Problem problem = standard_problem(parse_topology(tree.spec()), CollectiveKind::kAlltoall);
    bool as_printed = true;
    for (const Algorithm* card :
         {&algorithms::alltoall_fat_tree_queue_free, &algorithms::alltoall_fat_tree_shifts}) {
      Plan plan;
      cheapest(card->prepare(problem).plans)->generate(plan);
      const auto steps = static_cast<int64_t>(plan.num_steps());
      const Rational w = holes(problem, plan);
      ASSERT_TRUE(verify(problem, plan).schedule.has_value()) << tree.spec();
      // With one link at every leaf (6.7) is an equation.
      EXPECT_EQ(Rational(steps), Rational(stated(tree.leaves() - 1)) + w) << tree.spec();
      for (int64_t i = 1; i <= tree.h; ++i) {
        EXPECT_GE(w * Rational(steps), holes_times_steps(tree, i, Period::kOneLess)) << tree.spec();
        as_printed = as_printed && w * Rational(steps) >= holes_times_steps(tree, i, Period::kAsPrinted);
      }
    }
    EXPECT_EQ(as_printed, stated(tree.h > 2 || tree.k < 6)) << tree.spec();  // the smallest has 36 leaves
  }
}

// A message sent in step t is received in step t + 2(h-i+1) - 1: a step earlier than the proof of (6.6) has it.
TEST(DissertationClaims,
     equation_6_6_counts_a_step_too_many_and_without_it_theorem_6_10_follows_all_the_same) {
  int64_t too_much = 0;
  for (const Tree& tree : trees(int64_t{1} << 30, 2)) {
    int64_t printed = 0;
    int64_t corrected = 0;
    for (int64_t i = 1; i <= tree.h; ++i) {
      printed = std::max(printed, least_steps_by(tree, i, Period::kAsPrinted));
      corrected = std::max(corrected, least_steps_by(tree, i, Period::kOneLess));
    }
    EXPECT_LE(corrected, tree.least_steps()) << tree.spec();
    EXPECT_GE(static_cast<double>(corrected) + 1e-6,
              static_cast<double>(tree.leaves() + 2 * tree.h - 2) - 2 * tree.log_of_height())
        << tree.spec();
    if (printed > tree.least_steps() && (too_much == 0 || tree.leaves() < too_much)) too_much = tree.leaves();
  }
  EXPECT_EQ(too_much, stated(36));
}

TEST(DissertationClaims, with_i_1_equations_6_6_and_6_7_give_n_plus_h_minus_1) {
  for (const Tree& tree : trees(int64_t{1} << 30, 2)) {
    const int64_t printed = tree.leaves() + tree.h - 1;
    EXPECT_EQ(least_steps_by(tree, 1, Period::kAsPrinted) == printed, stated(tree.k == 2)) << tree.spec();
    for (const Period period : {Period::kAsPrinted, Period::kOneLess})
      EXPECT_GE(least_steps_by(tree, 1, period), printed) << tree.spec();
    EXPECT_GE(tree.least_steps(), printed) << tree.spec();
  }
}

TEST(DissertationClaims, equation_6_8_is_true_of_the_best_times_and_follows_from_6_6_as_printed) {
  for (const Tree& tree : trees(int64_t{1} << 40, 1)) {
    const auto n = static_cast<double>(tree.leaves());
    const double printed = 2 * n * static_cast<double>(tree.h) - 2 * n * tree.log_of_height() - n;
    const double margin = 1e-9 * n;
    double from_6_6 = 0;
    for (int64_t i = 1; i <= tree.h; ++i)
      from_6_6 = std::max(from_6_6, holes_times_steps(tree, i, Period::kAsPrinted).to_double());
    EXPECT_EQ(from_6_6 + margin >= printed, stated(true)) << tree.spec();
    const auto steps = static_cast<double>(tree.least_steps());
    EXPECT_EQ((steps - n + 1) * steps + margin >= printed, stated(true)) << tree.spec();
  }
}

TEST(DissertationClaims, for_exponential_capacities_6_4_gives_a_step_more_than_the_text_says) {
  for (const Tree& tree : trees(int64_t{1} << 20, 2)) {
    const int64_t n = tree.leaves();
    const Rational equation = Rational::of(n * n * (tree.k - 1), tree.k * tree.k * tree.power(tree.h - 1)) +
                              Rational(2 * tree.h - 1);
    const int64_t printed = n - n / tree.k + 2 * tree.h - 2;
    EXPECT_EQ(equation, Rational(stated(printed + 1))) << tree.spec();
    // What a multinode broadcast takes is never less.
    EXPECT_LE(equation, Rational(tree.k == 2 ? n + 1 : n)) << tree.spec();
  }
}

}  // namespace dissertation_1996_holes_test
}  // namespace quadrille
