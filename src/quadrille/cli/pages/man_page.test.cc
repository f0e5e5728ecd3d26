#include "quadrille/cli/pages/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace man_page_test {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ManPage, SaysWhatTheHelpSays) {
  const std::string page = man_page(*command_catalog().find("plan"));
  EXPECT_THAT(page, ::testing::StartsWith(".TH QUADRILLE-PLAN 1 "));
  EXPECT_THAT(page, HasSubstr("\n.TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\n"));
  EXPECT_THAT(page,
              HasSubstr(".TP\n\\fB\\-\\-ranks\\fR \\fIR\\fR, \\fB\\-\\-relay\\fR \\fIR\\fR\nonly ranks"));
  EXPECT_THAT(page, HasSubstr(".SH EXAMPLE\n.nf\n$ quadrille plan"));
  for (const Command* command : command_catalog()) {
    EXPECT_THAT(man_page_of_all(), HasSubstr("quadrille\\-" + std::string(command->name) + " (1)"));
  }
}

TEST(ManPage, NoTextIsTakenForARequest) {
  Command odd{.name = "odd",
              .summary = "a-b",
              .details = ".x\n'y \\z",
              .example = ".first\n-a\n",
              .setup = [](ArgumentParser&) -> CommandAction { return {}; }};
  const std::string page = man_page(odd);
  EXPECT_THAT(page, HasSubstr("\n\\&.x\n\\&'y \\ez\n"));
  EXPECT_THAT(page, HasSubstr(".nf\n\\&.first\n\\-a\n.fi"));
}

}  // namespace man_page_test
}  // namespace quadrille
