#include "quadrille/base/numbers/whole_number.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace whole_number_test {

TEST(WholeNumber, HasDigitsOnlyAndFits) {
  EXPECT_EQ(whole_number("0"), 0U);
  EXPECT_EQ(whole_number("18446744073709551615"), UINT64_MAX);
  for (const char* bad : {"", "-3", "+3", "3.5", "3k", "1e3", "0x10", " 3", "18446744073709551616"})
    EXPECT_EQ(whole_number(bad), std::nullopt) << bad;
}

TEST(WholeNumber, OutOfItsRangeIsToldTheRange) {
  EXPECT_EQ(whole_number_error("1", 1, 7), "");
  EXPECT_EQ(whole_number_error("7", 1, 7), "");
  EXPECT_EQ(whole_number_error("0", 1, 7), "'0' is given; allowed is a whole number from 1 to 7");
  EXPECT_EQ(whole_number_error("8", 1, 7), "'8' is given; allowed is a whole number from 1 to 7");
  EXPECT_EQ(whole_number_error("-3", 0, UINT64_MAX),
            "'-3' is given; allowed is a whole number from 0 to 18446744073709551615");
}

}  // namespace whole_number_test
}  // namespace quadrille
