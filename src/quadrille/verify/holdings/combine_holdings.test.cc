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

// Every node tells all others all it has in one step, which is so large that one thread looks at it block by block; sets have two
// words. What is wrong with a transfer is told in the order of its blocks.
TEST(ContributionsInOneLargeStep, AreSeenAsInSmallOnes) {
  constexpr uint32_t kPieces = 8;
  const Topology net = parse_topology("complete(66)");
  const Problem problem =
      standard_problem(net, CollectiveKind::kAllreduce, {.packets = Packets::kMany}, kNoNode, kPieces);
  const auto told = [&](const std::vector<BlockId>& first, TransferOp op) {
    Plan plan;
    StepBuilder step;
    for (const ArcId arc : net.arcs()) {
      std::vector<BlockId> blocks;
      for (uint32_t b = 0; b < kPieces; ++b) blocks.push_back(BlockId{b});
      const bool is_first = step.empty();
      step.add({&arc, 1}, is_first ? first : blocks, is_first ? op : TransferOp::kDefault);
    }
    step.flush(plan);
    std::vector<std::string> out;
    for (const unsigned threads : {1U, 2U}) {
      const Verdict verdict = verify(problem, plan, {.threads = threads}).verdict;
      const Verdict expected = reference_verify(problem, plan);
      EXPECT_EQ(verdict.total_findings, expected.total_findings);
      for (size_t i = 0; i < std::min(verdict.findings.size(), expected.findings.size()); ++i) {
        EXPECT_EQ(verdict.findings[i].rule, expected.findings[i].rule);
        EXPECT_EQ(verdict.findings[i].transfer, expected.findings[i].transfer);
      }
      out.clear();
      for (const Finding& finding : verdict.findings) out.push_back(to_text(finding));
    }
    return out;
  };
  std::vector<BlockId> all;
  for (uint32_t b = kPieces; b-- > 0;) all.push_back(BlockId{b});
  EXPECT_THAT(told(all, TransferOp::kDefault), ElementsAre());
  EXPECT_THAT(told({BlockId{7}, BlockId{6}, BlockId{5}, BlockId{4}, BlockId{2}, BlockId{1}, BlockId{0}},
                   TransferOp::kDefault),
              ElementsAre("at the end: [delivered] block piece 3 at node 1 lacks the contribution of 0"));
  EXPECT_EQ(told(all, TransferOp::kCopy).size(), 20U);
  std::vector<BlockId> twice = all;
  twice.push_back(BlockId{6});
  twice.push_back(BlockId{2});
  EXPECT_THAT(told(twice, TransferOp::kDefault).size(), 2U);
}

}  // namespace combine_holdings_test
}  // namespace quadrille
