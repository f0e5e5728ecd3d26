#include "quadrille/cli/report/grouped.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace grouped_test {

TEST(Grouped, sets_thousands_apart_in_numbers_of_any_length) {
  EXPECT_EQ(grouped("1000000000000000000000"), "1,000,000,000,000,000,000,000");
  EXPECT_EQ(grouped("-123456.7890"), "-123,456.7890");
  EXPECT_EQ(grouped("-123"), "-123");
  EXPECT_EQ(grouped(""), "");
}

}  // namespace grouped_test
}  // namespace quadrille
