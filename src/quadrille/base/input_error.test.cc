#include "quadrille/base/input_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace input_error_test {

using ::testing::HasSubstr;

std::string at(std::string_view text, size_t offset, size_t length) {
  return input_error_at("net", text, offset, length, "oh").what();
}

TEST(InputError, PointsAtTheMistake) {
  EXPECT_EQ(at("ring(x)", 5, 1), "net:1:6: oh\n  ring(x)\n       ^");
  EXPECT_EQ(at("first\nsecond line\nthird", 13, 4), "net:2:8: oh\n  second line\n         ^~~~");
}

TEST(InputError, AMistakeMayBeAtTheEndOrBeyond) {
  EXPECT_EQ(at("ring(", 5, 1), "net:1:6: oh\n  ring(\n       ^");
  EXPECT_EQ(at("", 0, 1), "net:1:1: oh\n  \n  ^");
  EXPECT_EQ(at("ab", 99, 99), "net:1:3: oh\n  ab\n    ^");
  EXPECT_EQ(at("ab\n", 3, 0), "net:2:1: oh\n  \n  ^");
}

TEST(InputError, MarksStayWithinTheLine) { EXPECT_EQ(at("abc\ndef", 1, 100), "net:1:2: oh\n  abc\n   ^~"); }

TEST(InputError, LongLinesAreCutAroundTheMistake) {
  std::string text(2001, 'a');
  text.replace(1000, 1, "X").replace(1001, 1000, 1000, 'b');
  const std::string message = at(text, 1000, 1);
  EXPECT_THAT(message, HasSubstr("net:1:1001: oh\n"));
  EXPECT_THAT(message, HasSubstr("aaaXbbb"));
  EXPECT_LT(message.size(), 300U);
}

TEST(InputError, BytesThatDoNotPrintAreShownAsQuestionMarks) {
  EXPECT_EQ(at("a\tb\x01\xff", 0, 1), "net:1:1: oh\n  a?b??\n  ^");
}

}  // namespace input_error_test
}  // namespace quadrille
