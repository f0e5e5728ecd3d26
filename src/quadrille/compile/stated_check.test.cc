#include "quadrille/compile/stated_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/schedule/plan_reader.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace stated_check_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kNamed = "topology ring(3)\n";
constexpr const char* kLinks = "link 0 1\nlink 1 2\nlink 2 0\n";
// Total exchange in two steps.
constexpr const char* kSteps = "step\n0>1: 0-1\n1>2: 1-2\n2>0: 2-0\nstep\n0>2: 0-2\n1>0: 1-0\n2>1: 2-1\n";

StatedCheck check_of(const std::string& topology, const std::string& remarks) {
  const PlanFile file = read_plan(
      "quadrille-plan 1\n" + topology + "collective alltoall\nmodel send=1 receive=1\n" + remarks + kSteps,
      "x.plan");
  const Verdict verdict = verify(file.problem, file.plan).verdict;
  EXPECT_TRUE(verdict.passed());
  return check_stated(file, verdict.figures, all_bounds(file.problem));
}

TEST(StatedCheck, WhatIsTrueIsPassedOver) {
  const StatedCheck check = check_of(kNamed, "claim steps=2 busiest_link=1\nbound average_status 2\n");
  EXPECT_THAT(check.falsehoods, IsEmpty());
  EXPECT_THAT(check.unchecked, IsEmpty());
  EXPECT_EQ(stated_text(check), "");
}

TEST(StatedCheck, FiguresAreHeldAgainstTheJudges) {
  EXPECT_THAT(check_of(kNamed, "claim steps=1 start_ups=2 critical_blocks=1000\n").falsehoods,
              ElementsAre("steps: the plan states 1, the judge counts 2",
                          "critical blocks: the plan states 1,000, the judge counts 2"));
}

TEST(StatedCheck, ABoundThatThePlanBeatsIsFalseWhateverItsName) {
  for (const char* topology : {kNamed, kLinks}) {
    EXPECT_THAT(check_of(topology, "bound mine 99\nbound average_status 5/2\n").falsehoods,
                ElementsAre("bound mine: the plan says 99, and beats it itself, with 2 steps",
                            "bound average_status: the plan says 5/2, and beats it itself, with 2 steps"));
  }
}

TEST(StatedCheck, ABoundThatIsSomethingElseHereIsFalse) {
  EXPECT_THAT(check_of(kNamed, "bound average_status 1\n").falsehoods,
              ElementsAre("bound average_status: the plan says 1, it is 2"));
  EXPECT_THAT(check_of(kNamed, "bound fat_tree_branches 2\n").falsehoods,
              ElementsAre("bound fat_tree_branches: the plan says 2, it is silent on this problem"));
}

TEST(StatedCheck, AWitnessMakesABoundTrueUnderAnyName) {
  for (const char* topology : {kNamed, kLinks}) {
    const StatedCheck check = check_of(topology, "bound mine 2\nwitness node 1\n");
    EXPECT_THAT(check.falsehoods, IsEmpty());
    EXPECT_THAT(check.unchecked, IsEmpty());
    EXPECT_THAT(check.proved, ElementsAre("bound mine: the plan says 2, and its witness, node 1, proves it"));
  }
}

TEST(StatedCheck, AWitnessThatDoesNotProveItsBoundIsAFalsehood) {
  EXPECT_THAT(
      check_of(kNamed,
               "bound average_status 2\nwitness informed 0 1\nbound mine 2\nwitness cut 0\n"
               "bound yours 2\nwitness weights\nbound theirs 2\nwitness refutation 1\nlemma\n")
          .falsehoods,
      ElementsAre("bound yours: the plan says 2, but its witness, weights, proves 0",
                  "bound theirs: the plan says 2, but its witness, a refutation of 1 lemma, proves 0"));
}

TEST(StatedCheck, ABoundOfAnUnknownNameIsNotChecked) {
  const StatedCheck check = check_of(kNamed, "bound mine 2\n");
  EXPECT_THAT(check.falsehoods, IsEmpty());
  EXPECT_THAT(check.unchecked,
              ElementsAre("bound mine: the plan says 2; not checked: no bound of that name is known here"));
}

TEST(StatedCheck, ABoundThatNeedsTheStructureIsNotCheckedWithoutIt) {
  for (const std::string& topology :
       {std::string(kLinks), std::string("topology their_net\n").append(kLinks)}) {
    const StatedCheck check = check_of(topology, "bound generator_weights 2\n");
    EXPECT_THAT(check.falsehoods, IsEmpty());
    EXPECT_THAT(check.unchecked,
                ElementsAre("bound generator_weights: the plan says 2; not checked: without a spec of the "
                            "network it is silent on this problem"));
  }
}

}  // namespace stated_check_test
}  // namespace quadrille
