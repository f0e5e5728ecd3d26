#include "quadrille/base/rational.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace rational_test {

Rational any_fraction() {
  const auto numerator = *rc::gen::arbitrary<int32_t>();
  const auto denominator = *rc::gen::nonZero<int32_t>();
  return Rational::of(numerator, denominator);
}

RC_GTEST_PROP(Rational, IsInLowestTermsWithAPositiveDenominator, ()) {
  const Rational a = any_fraction();
  RC_ASSERT(a.denominator() > 0);
  RC_ASSERT(Rational::of(a.numerator() * 6, a.denominator() * -6) == Rational(0) - a);
}

RC_GTEST_PROP(Rational, IsAField, ()) {
  const Rational a = any_fraction();
  const Rational b = any_fraction();
  const Rational c = any_fraction();
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT(a + b - b == a);
  RC_ASSERT(a * (b + c) == a * b + a * c);
  if (b != Rational(0)) RC_ASSERT(a * b / b == a);
}

RC_GTEST_PROP(Rational, OrderAgreesWithTheSignOfTheDifference, ()) {
  const Rational a = any_fraction();
  const Rational b = any_fraction();
  RC_ASSERT((a < b) == ((a - b).numerator() < 0));
  RC_ASSERT((a == b) == ((a - b).numerator() == 0));
}

RC_GTEST_PROP(Rational, CeilIsTheSmallestIntegerThatIsNotLess, ()) {
  const Rational a = any_fraction();
  RC_ASSERT(Rational(a.ceil()) >= a);
  RC_ASSERT(Rational(a.ceil() - 1) < a);
}

RC_GTEST_PROP(Rational, TextIsReadBack, ()) {
  const Rational a = any_fraction();
  RC_ASSERT(parse_rational(a.to_string()) == a);
}

TEST(Rational, IsWrittenAsPeopleDo) {
  EXPECT_EQ(Rational(7).to_string(), "7");
  EXPECT_EQ(Rational::of(30, 4).to_string(), "15/2");
  EXPECT_EQ(Rational::of(1, -3).to_string(), "-1/3");
  EXPECT_EQ(Rational::of(0, -3).to_string(), "0");
  EXPECT_DOUBLE_EQ(Rational::of(15, 2).to_double(), 7.5);
  EXPECT_TRUE(Rational(7).is_integer());
  EXPECT_FALSE(Rational::of(15, 2).is_integer());
}

TEST(Rational, OnlyWholeNumbersAndFractionsAreRead) {
  EXPECT_EQ(parse_rational("-0/7"), Rational(0));
  EXPECT_EQ(parse_rational("6/4"), Rational::of(3, 2));
  const std::string largest = to_string(std::numeric_limits<Int128>::max());
  EXPECT_EQ(largest, "170141183460469231731687303715884105727");
  EXPECT_TRUE(parse_rational(largest));
  for (const std::string_view text : {"", "-", "/", "1/", "/2", "1/0", "1/-2", "+1", "1.5", " 1", "1 ", "0x1",
                                      "--1", "1/2/3", "170141183460469231731687303715884105728"}) {
    EXPECT_EQ(parse_rational(text), std::nullopt) << text;
  }
}

TEST(Rational, WhatDoesNotFitIsAnErrorAndNoWrap) {
  const Rational huge = Rational::of(std::numeric_limits<Int128>::max(), 1);
  EXPECT_THROW((void)(huge + Rational(1)), InputError);
  EXPECT_THROW((void)(huge * Rational(2)), InputError);
  EXPECT_THROW((void)huge.ceil(), InputError);
  EXPECT_THROW((void)(Rational(1) / Rational(0)), InternalError);
  EXPECT_THROW((void)Rational::of(1, 0), InternalError);
}

TEST(Rational, AnyTwoFractionsCanBeCompared) {
  const Int128 most = static_cast<Int128>((UInt128{1} << 127U) - 1);
  const std::vector<Rational> ascending = {Rational::of(-most, 1),
                                           Rational::of(-most, 2),
                                           Rational::of(1 - most, most),
                                           Rational::of(-1, most),
                                           Rational(0),
                                           Rational::of(1, most),
                                           Rational::of(1, most - 1),
                                           Rational::of(2, most),
                                           Rational::of(most - 2, most - 1),
                                           Rational::of(most - 1, most),
                                           Rational(1),
                                           Rational::of(most, most - 1),
                                           Rational::of(most - 1, most - 2),
                                           Rational(7),
                                           Rational::of(most, 3),
                                           Rational::of(most, 2),
                                           Rational::of(most - 1, 1),
                                           Rational::of(most, 1)};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(ascending[i] <=> ascending[j], i <=> j)
          << ascending[i].to_string() << " and " << ascending[j].to_string();
    }
  }
}

TEST(Rational, The128BitIntegersPrintToTheLastDigit) {
  EXPECT_EQ(to_string(Int128{0}), "0");
  EXPECT_EQ(to_string(std::numeric_limits<Int128>::min()), "-170141183460469231731687303715884105728");
}

}  // namespace rational_test
}  // namespace quadrille
