// Sets of ranks that do not fit into one word.
#include "quadrille/verify/holdings/combine_holdings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace combine_holdings_test {

using ::testing::ElementsAre;

constexpr uint32_t kRanks = 130;

// Down a line to node 0, every node adding its own: all contributions cross the last link.
Plan down_the_line(const Topology& line) {
  Plan plan;
  StepBuilder step;
  for (uint32_t v = kRanks - 1; v > 0; --v) {
    step.add(*line.find_arc(NodeId{v}, NodeId{v - 1}), BlockId{0});
    step.flush(plan);
  }
  return plan;
}

std::vector<std::string> findings(const Problem& problem, const Plan& plan) {
  const Verdict verdict = verify(problem, plan).verdict;
  EXPECT_EQ(verdict.total_findings, reference_verify(problem, plan).total_findings);
  std::vector<std::string> out;
  for (const Finding& finding : verdict.findings) out.push_back(to_text(finding));
  return out;
}

class ContributionsOfManyRanks : public ::testing::Test {
 protected:
  Topology line_ = parse_topology("line(130)");
  Problem problem_ = standard_problem(line_, CollectiveKind::kReduce);
  Plan plan_ = down_the_line(line_);
  StepBuilder step_;

  void send_again(uint32_t from, uint32_t to) {
    step_.add(*line_.find_arc(NodeId{from}, NodeId{to}), BlockId{0});
    step_.flush(plan_);
  }
};

TEST_F(ContributionsOfManyRanks, AreAllCounted) { EXPECT_THAT(findings(problem_, plan_), ElementsAre()); }

TEST_F(ContributionsOfManyRanks, AreMissedWhicheverWordTheyAreIn) {
  for (const uint32_t lost : {1U, 63U, 64U, 65U, 128U, 129U}) {
    Plan plan;
    StepBuilder step;
    for (uint32_t v = kRanks - 1; v > 0; --v) {
      if (v != lost) step.add(*line_.find_arc(NodeId{v}, NodeId{v - 1}), BlockId{0});
      step.flush(plan);
    }
    EXPECT_THAT(findings(problem_, plan),
                ElementsAre("at the end: [delivered] block 0 at node 0 lacks the contribution of " +
                            std::to_string(lost)));
  }
}

TEST_F(ContributionsOfManyRanks, AreReportedOnceHoweverManyCountTwice) {
  send_again(1, 0);
  EXPECT_THAT(findings(problem_, plan_), ElementsAre("step 130, transfer 1: [contributions] node 0 adds the "
                                                     "contribution of 1 to block 0 a second time"));
}

TEST_F(ContributionsOfManyRanks, AreSeenToCountTwiceInTheLastWord) {
  send_again(129, 128);
  EXPECT_THAT(findings(problem_, plan_),
              ElementsAre("step 130, transfer 1: [contributions] node 128 adds the "
                          "contribution of 129 to block 0 a second time"));
}

}  // namespace combine_holdings_test
}  // namespace quadrille
