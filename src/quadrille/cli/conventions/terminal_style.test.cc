#include "quadrille/cli/conventions/terminal_style.h"

#include <gtest/gtest.h>

#include <map>

namespace quadrille {
namespace terminal_style_test {

TerminalStyle style(std::optional<size_t> columns, const std::map<std::string, std::string>& variables = {}) {
  return style_for(columns, true, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

TEST(TerminalStyle, AFileLooksTheSameEverywhere) {
  EXPECT_EQ(style({}).width, 100U);
  EXPECT_FALSE(style({}).colour);
  EXPECT_TRUE(style({}).coloured_errors);
}

TEST(TerminalStyle, ATerminalSaysHowWideItIs) {
  EXPECT_EQ(style(72).width, 72U);
  EXPECT_EQ(style(10).width, 40U);
  EXPECT_EQ(style(300).width, 120U);
  EXPECT_EQ(style(0).width, 100U);
  EXPECT_TRUE(style(0).colour);
}

TEST(TerminalStyle, TheUserSaysMore) {
  EXPECT_EQ(style({}, {{"COLUMNS", "60"}}).width, 60U);
  EXPECT_EQ(style(80, {{"COLUMNS", "300"}}).width, 300U);
  for (const char* nonsense : {"", "0", "39", "1001", "x", "-5", "99999999999999999999"}) {
    EXPECT_EQ(style(80, {{"COLUMNS", nonsense}}).width, 80U) << nonsense;
  }
  EXPECT_FALSE(style(80, {{"NO_COLOR", "1"}}).colour);
  EXPECT_FALSE(style(80, {{"NO_COLOR", "1"}}).coloured_errors);
  EXPECT_TRUE(style(80, {{"NO_COLOR", ""}}).colour);
  EXPECT_FALSE(style(80, {{"TERM", "dumb"}}).colour);
}

}  // namespace terminal_style_test
}  // namespace quadrille
