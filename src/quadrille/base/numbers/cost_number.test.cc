#include "quadrille/base/numbers/cost_number.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"

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

TEST(CostNumber, TheOneUnitOfFilesIsTheMicrosecond) {
  EXPECT_NO_THROW(require_microseconds("us"));
  EXPECT_THROW(require_microseconds("ms"), InputError);
}

}  // namespace cost_number_test
}  // namespace quadrille
