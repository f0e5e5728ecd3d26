#include "quadrille/base/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace quadrille {
namespace check_test {

TEST(Check, AFailureSaysWhereWhatAndWithWhichValues) {
  try {
    QUADRILLE_CHECK(1 + 1 == 3, "two=2");
    FAIL() << "the check passed";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(),
                ::testing::MatchesRegex(
                    "quadrille/base/check\\.test\\.cc:[0-9]+: check failed: 1 \\+ 1 == 3 \\(two=2\\)"));
  }
}

TEST(Check, ValuesAreOnlyComputedOnFailure) {
  int computed = 0;
  const auto values = [&] {
    ++computed;
    return std::string("values");
  };
  QUADRILLE_CHECK(true, values());
  EXPECT_EQ(computed, 0);
  EXPECT_THROW(QUADRILLE_CHECK(false, values()), InternalError);
  EXPECT_EQ(computed, 1);
}

}  // namespace check_test
}  // namespace quadrille
