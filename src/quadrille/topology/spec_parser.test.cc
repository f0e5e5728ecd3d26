#include "quadrille/topology/spec_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace quadrille {
namespace spec_parser_test {

using ::testing::HasSubstr;

std::string error_of(std::string_view text) {
  try {
    (void)parse_spec(text, "spec");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SpecParser, ReadsEveryKindOfArgument) {
  const SpecCall call = parse_spec(
      R"( family( 8 , 2^4, 14:2 ; ring(4), constant, "a \"b\".gml"; [1, 0] , (0 1)(2 3)) )", "spec");
  EXPECT_EQ(call.name, "family");
  ASSERT_EQ(call.sections.size(), 3U);
  const auto& numbers = call.sections[0].args;
  ASSERT_EQ(numbers.size(), 3U);
  EXPECT_EQ(numbers[0].number, 8U);
  EXPECT_EQ(numbers[1].kind, ArgKind::kPower);
  EXPECT_EQ(numbers[1].second, 4U);
  EXPECT_EQ(numbers[2].kind, ArgKind::kPair);
  EXPECT_EQ(numbers[2].number, 14U);
  EXPECT_EQ(call.quote(numbers[2].where), "14:2");
  const auto& words = call.sections[1].args;
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].call.at(0).name, "ring");
  EXPECT_EQ(words[1].text, "constant");
  EXPECT_EQ(words[2].text, "a \"b\".gml");
  const auto& elements = call.sections[2].args;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].tuple, (std::vector<uint64_t>{1, 0}));
  EXPECT_EQ(elements[1].cycles, (std::vector<std::vector<uint64_t>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(call.quote(elements[1].where), "(0 1)(2 3)");
}

TEST(SpecParser, PointsAtTheMistake) {
  EXPECT_EQ(error_of("torus(4,4"),
            "spec:1:6: the '(' after torus is never closed\n"
            "  torus(4,4\n"
            "       ^");
  EXPECT_EQ(error_of("torus(4,4) ring(3)"),
            "spec:1:12: unexpected text after the topology\n"
            "  torus(4,4) ring(3)\n"
            "             ^~~~~~~");
  EXPECT_EQ(error_of("ring(99999999999999999999)"),
            "spec:1:6: this number is too large; at most 18446744073709551615 can be read\n"
            "  ring(99999999999999999999)\n"
            "       ^~~~~~~~~~~~~~~~~~~~");
}

TEST(SpecParser, SaysWhatIsMissingOrWrong) {
  EXPECT_THAT(error_of(""), HasSubstr("a topology is missing"));
  EXPECT_THAT(error_of("  "), HasSubstr("a topology is missing"));
  EXPECT_THAT(error_of("4"), HasSubstr("starts with its family"));
  EXPECT_THAT(error_of("torus"), HasSubstr("'torus' needs its sizes in parentheses"));
  EXPECT_THAT(error_of("torus(4,)"), HasSubstr("expected an argument"));
  EXPECT_THAT(error_of("torus(4,"), HasSubstr("but the text ends here"));
  EXPECT_THAT(error_of("torus(-4)"), HasSubstr("found '-'"));
  EXPECT_THAT(error_of("torus(4 4)"), HasSubstr("expected ',', ';' or ')', found '4'"));
  EXPECT_THAT(error_of("file(nets/a.edges)"),
              HasSubstr("found '/'; a path goes in quotes: file(\"net.edges\")"));
  EXPECT_THAT(error_of("torus(4^)"), HasSubstr("expected a number, found ')'"));
  EXPECT_THAT(error_of("file(\"net"), HasSubstr("the '\"' here is never closed"));
  EXPECT_THAT(error_of("file(\"a\nb\")"), HasSubstr("a quoted name is one line"));
  EXPECT_THAT(error_of("cayley(Z(4);[1,0)"), HasSubstr("expected ',' or ']', found ')'"));
  EXPECT_THAT(error_of("cayley(Z(4);[1,0"), HasSubstr("the '[' here is never closed"));
  EXPECT_THAT(error_of("cayley(S(4);(0 1"), HasSubstr("the '(' here is never closed"));
  EXPECT_THAT(error_of("cayley(S(4);(0,1))"), HasSubstr("expected a point of the cycle"));
  EXPECT_THAT(error_of("ring(\xff)"), HasSubstr("found the byte 0xff"));
}

TEST(SpecParser, RefusesDeepNestingAndHugeTexts) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "product(";
  EXPECT_THAT(error_of(deep), HasSubstr("nested too deeply; at most 32 levels"));
  EXPECT_THAT(error_of(std::string(kMaxSpecBytes + 1, 'a')), HasSubstr("the text has 1048577 bytes"));
}

}  // namespace spec_parser_test
}  // namespace quadrille
