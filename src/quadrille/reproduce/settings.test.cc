#include "quadrille/reproduce/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace settings_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array kSizes = {4.0, 5.0};
constexpr std::array kPorts = {0.0};
constexpr std::array kParameters = {
    Parameter{.name = "size", .meaning = "d", .printed = kSizes, .least = 4, .most = 20},
    Parameter{
        .name = "ports", .meaning = "ports", .printed = kPorts, .least = 1, .most = 6, .is_ports = true}};

Settings with(std::vector<Given> given) { return {"1999.table3", kParameters, given}; }

TEST(Settings, are_the_papers_unless_others_are_given) {
  EXPECT_THAT(with({}).whole("size"), ElementsAre(4U, 5U));
  EXPECT_TRUE(with({}).as_printed());
  const Settings other = with({{"size", {6, 7}}});
  EXPECT_THAT(other.whole("size"), ElementsAre(6U, 7U));
  EXPECT_THAT(other.whole("ports"), ElementsAre(0U));
  EXPECT_FALSE(other.as_printed());
}

TEST(Settings, say_the_range_of_what_they_refuse) {
  EXPECT_THAT(error_of([] {
                with({{"size", {3}}});
              }),
              HasSubstr("--size: 1999.table3 holds for d from 4 to 20; 3 is"));
  EXPECT_THAT(error_of([] { with({{"size", {21}}}); }), HasSubstr("from 4 to 20; 21 is none of these"));
  EXPECT_THAT(error_of([] { with({{"size", {4.5}}}); }), HasSubstr("4.5 is none of these"));
  EXPECT_THAT(error_of([] { with({{"ports", {7}}}); }), HasSubstr("1 to 6, or all; 7 is none of these"));
  EXPECT_EQ(error_of([] { with({{"ports", {0}}}); }), "no error");
}

TEST(Settings, may_be_multiples_alone) {
  constexpr std::array kEven = {
      Parameter{.name = "size", .meaning = "n", .printed = kSizes, .least = 2, .most = 8, .multiple = 2}};
  EXPECT_THAT(error_of([&] {
                Settings("x", kEven, std::vector<Given>{{"size", {5}}});
              }),
              HasSubstr("from 2 to 8, multiples of 2; 5 is none of these"));
  EXPECT_EQ(error_of([&] { Settings("x", kEven, std::vector<Given>{{"size", {6}}}); }), "no error");
}

TEST(Settings, name_the_parameters_that_there_are) {
  EXPECT_THAT(error_of([] {
                with({{"bytes", {4}}});
              }),
              HasSubstr("--bytes: 1999.table3 does not depend on it; it takes --size (d), --ports"));
  EXPECT_THAT(error_of([] {
                Settings("x", {}, std::vector<Given>{{"size", {4}}});
              }),
              HasSubstr("has no parameters"));
}

TEST(Settings, are_read_from_lists_and_ranges) {
  EXPECT_THAT(parse_values("size", "4"), ElementsAre(4.0));
  EXPECT_THAT(parse_values("size", "4,6,8..10"), ElementsAre(4.0, 6.0, 8.0, 9.0, 10.0));
  EXPECT_THAT(parse_values("ratio", "0.5,2500"), ElementsAre(0.5, 2500.0));
  EXPECT_THAT(parse_values("ports", "one,all,3"), ElementsAre(1.0, 0.0, 3.0));
}

TEST(Settings, refuse_what_is_no_list) {
  for (const char* text :
       {"", "x", "4,", ",4", "4..", "..4", "9..4", "4 5", "1e5", "nan", "inf", "all", "0..5000"})
    EXPECT_THAT(error_of([&] { static_cast<void>(parse_values("size", text)); }),
                HasSubstr("is no list of values"))
        << text;
}

}  // namespace settings_test
}  // namespace quadrille
