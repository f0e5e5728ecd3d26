#include "quadrille/base/cost_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace quadrille {
namespace cost_number_test {

TEST(CostNumber, is_finite_and_not_negative) {
  EXPECT_EQ(cost_of("0"), 0.0);
  EXPECT_EQ(cost_of("2.5"), 2.5);
  EXPECT_EQ(cost_of("1e-3"), 1e-3);
  EXPECT_EQ(cost_of("1e100"), kMostCost);
  for (const char* bad : {"", "nan", "-nan", "inf", "infinity", "-1", "-1e-9", "1e101", "1e308", "1e999",
                          "0x10", " 1", "1 ", "1,5", "+1", "cheap"}) {
    EXPECT_FALSE(cost_of(bad)) << bad;
  }
}

TEST(CostNumber, makes_no_infinite_time) {
  const double most = static_cast<double>(UINT64_MAX);
  EXPECT_TRUE(std::isfinite(kMostCost * most * most * 3));
}

TEST(CostNumber, says_what_is_given_and_allowed) {
  EXPECT_EQ(cost_error("1.5"), "");
  EXPECT_EQ(cost_error("nan"), "'nan' is given; allowed is a number from 0 to 1e+100");
  EXPECT_EQ(cost_error("-1"), "'-1' is given; allowed is a number from 0 to 1e+100");
}

}  // namespace cost_number_test
}  // namespace quadrille
