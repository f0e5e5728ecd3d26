#include "quadrille/cli/report/stated_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace stated_report_test {

using ::testing::HasSubstr;

TEST(StatedReport, BothKindsAreCounted) {
  Report report;
  report_stated({{"steps: the plan states 1, the judge counts 2"}, {"bound mine: ..", "bound yours: .."}},
                report);
  EXPECT_EQ(report.text(), "stated  1 false statement, 2 stated bounds not checked\n");
  EXPECT_THAT(report.json().text(), HasSubstr("\"not_checked\": ["));
}

TEST(StatedReport, WhatIsTrueIsPassedOver) {
  Report report;
  report_stated({}, report);
  EXPECT_EQ(report.text(), "");
}

}  // namespace stated_report_test
}  // namespace quadrille
