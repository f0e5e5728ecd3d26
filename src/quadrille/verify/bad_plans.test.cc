// The corpus of bad plans, testdata/bad_plans/<rule>__<what>.plan: each is caught by exactly its rule, with
// exactly the words that its "# judge:" lines give, and both judges agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "quadrille/base/files.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(QUADRILLE_SOURCE_DIR "/testdata/bad_plans")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> expected_lines(const std::string& text) {
  constexpr std::string_view kMark = "# judge: ";
  std::vector<std::string> out;
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    at += kMark.size();
    const size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
  }
  return out;
}

class BadPlans : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadPlans, AreCaughtByTheirRuleAndNoOther) {
  const std::string stem = GetParam().stem().string();
  const std::string rule = stem.substr(0, stem.find("__"));
  const std::string text = read_file(GetParam().string());
  const PlanFile file = read_plan(text, stem);
  const Verification v = verify(file.problem, file.plan);
  EXPECT_FALSE(v.schedule.has_value());
  std::vector<std::string> found;
  for (const Finding& f : v.verdict.findings) {
    EXPECT_EQ(f.rule, rule);
    found.push_back(to_text(f));
  }
  EXPECT_THAT(found, ::testing::ContainerEq(expected_lines(text)));

  const Verdict slow = reference_verify(file.problem, file.plan);
  ASSERT_EQ(slow.findings.size(), v.verdict.findings.size());
  for (size_t i = 0; i < slow.findings.size(); ++i) {
    EXPECT_EQ(slow.findings[i].rule, v.verdict.findings[i].rule);
    EXPECT_EQ(slow.findings[i].step, v.verdict.findings[i].step);
    EXPECT_EQ(slow.findings[i].transfer, v.verdict.findings[i].transfer);
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

}  // namespace
}  // namespace quadrille
