// The corpus of bad plans, testdata/bad_plans/<rule>__<what>.plan: each is caught by exactly its rule, with
// exactly the words that its "# judge:" lines give, and both judges agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "quadrille/base/files.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/golden_file.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace bad_plans_test {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("testdata/bad_plans"))) {
    if (entry.path().extension() == ".plan") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// What stands above the judge's words, which end each file.
std::string without_verdict(const std::string& text) { return text.substr(0, text.find("# judge: ")); }

class BadPlans : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadPlans, AreCaughtByTheirRuleAndNoOther) {
  const std::string stem = GetParam().stem().string();
  const std::string rule = stem.substr(0, stem.find("__"));
  const std::string text = read_file(GetParam().string());
  const PlanFile file = read_plan(text, stem);
  const Verification v = verify(file.problem, file.plan);
  EXPECT_FALSE(v.schedule.has_value());
  std::string judged = without_verdict(text);
  for (const Finding& f : v.verdict.findings) {
    EXPECT_EQ(f.rule, rule);
    judged += "# judge: " + to_text(f) + "\n";
  }
  expect_golden("testdata/bad_plans/" + GetParam().filename().string(), judged);

  const Verdict slow = reference_verify(file.problem, file.plan);
  ASSERT_EQ(slow.findings.size(), v.verdict.findings.size());
  for (size_t i = 0; i < slow.findings.size(); ++i) {
    EXPECT_EQ(slow.findings[i].rule, v.verdict.findings[i].rule);
    EXPECT_EQ(slow.findings[i].step, v.verdict.findings[i].step);
    EXPECT_EQ(slow.findings[i].transfer, v.verdict.findings[i].transfer);
  }
}

// What a finding is about is part of its transfer: pictures draw it there.
TEST_P(BadPlans, FindingsAreSomewhere) {
  const PlanFile file = read_plan(read_file(GetParam().string()), "bad.plan");
  const Topology& topology = file.problem.topology();
  class Steps final : public StepSink {
   public:
    void push(const StepView& step) override {
      auto& transfers = all.emplace_back();
      for (size_t t = 0; t < step.size(); ++t) {
        transfers.push_back(
            {{step.arcs(t).begin(), step.arcs(t).end()}, {step.blocks(t).begin(), step.blocks(t).end()}});
      }
    }
    struct Sent {
      std::vector<ArcId> arcs;
      std::vector<BlockId> blocks;
    };
    std::vector<std::vector<Sent>> all;
  } steps;
  file.plan.replay(steps);
  for (const Finding& f : verify(file.problem, file.plan).verdict.findings) {
    const FindingPlace& at = f.place;
    if (f.rule != "transfer_form" && f.rule != "path_exists") {  // these may lack even a path
      EXPECT_TRUE(at.node != kNoNode || at.arc != kNoArc) << to_text(f);
    }
    if (at.node != kNoNode) {
      EXPECT_LT(index(at.node), topology.num_nodes());
    }
    if (f.step == Finding::kAtEnd) {
      ASSERT_TRUE(at.block.has_value());
      EXPECT_EQ(index(*at.block), f.transfer);
    }
    if (f.step == Finding::kAtEnd || f.transfer == Finding::kAtEnd) continue;
    const Steps::Sent& sent = steps.all[f.step][f.transfer];
    if (at.arc != kNoArc) {
      EXPECT_THAT(sent.arcs, ::testing::Contains(at.arc)) << to_text(f);
      if (at.node != kNoNode) {
        EXPECT_TRUE(topology.tail(at.arc) == at.node || topology.head(at.arc) == at.node) << to_text(f);
      }
    }
    if (at.block) {
      EXPECT_THAT(sent.blocks, ::testing::Contains(*at.block)) << to_text(f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadPlans, ::testing::ValuesIn(corpus()),
                         [](const auto& at) { return at.param.stem().string(); });

TEST(BadPlanCorpus, HasAPlanForEveryRule) {
  std::set<std::string> rules;
  for (const auto& file : corpus()) {
    const std::string stem = file.stem().string();
    rules.insert(stem.substr(0, stem.find("__")));
  }
  for (const RuleCard* rule : rule_catalog())
    EXPECT_TRUE(rules.contains(std::string(rule->name))) << rule->name;
  EXPECT_EQ(rules.size(), rule_catalog().size());
}

}  // namespace bad_plans_test
}  // namespace quadrille
