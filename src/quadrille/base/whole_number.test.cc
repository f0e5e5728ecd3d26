#include "quadrille/base/whole_number.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace whole_number_test {

TEST(WholeNumber, HasDigitsOnlyAndFits) {
  EXPECT_EQ(whole_number_error("0"), "");
  EXPECT_EQ(whole_number_error("18446744073709551615"), "");
  EXPECT_EQ(whole_number_error("-3"),
            "'-3' is given; allowed is a whole number from 0 to 18446744073709551615");
  for (const char* bad : {"", "+3", "3.5", "3k", "1e3", "0x10", " 3", "18446744073709551616"}) {
    EXPECT_NE(whole_number_error(bad), "") << bad;
    EXPECT_NE(positive_number_error(bad), "") << bad;
  }
}

TEST(WholeNumber, MayHaveToBeAtLeastOne) {
  EXPECT_EQ(positive_number_error("1"), "");
  EXPECT_EQ(positive_number_error("0"),
            "'0' is given; allowed is a whole number from 1 to 18446744073709551615");
}

}  // namespace whole_number_test
}  // namespace quadrille
