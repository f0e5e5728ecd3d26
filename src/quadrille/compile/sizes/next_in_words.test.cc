#include "quadrille/compile/sizes/next_in_words.h"

#include <gtest/gtest.h>

#include <limits>

namespace quadrille {
namespace next_in_words_test {

TEST(NextInWords, TimesAreComparedWhereThereIsOne) {
  EXPECT_EQ(next_in_words("b", 1.25), "next: b, 1.25 times as long");
  EXPECT_EQ(next_in_words("b", 1.0), "as fast: b");
  EXPECT_EQ(next_in_words("b", std::numeric_limits<double>::quiet_NaN()), "as fast: b");
  EXPECT_EQ(next_in_words("b", std::numeric_limits<double>::infinity()), "next: b");
}

}  // namespace next_in_words_test
}  // namespace quadrille
