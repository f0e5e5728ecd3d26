#include "quadrille/base/search_limits.h"

#include <gtest/gtest.h>

namespace quadrille::search_limits_test {

TEST(SearchLimits, AreNoneWhereNobodySaysAnything) {
  EXPECT_EQ(SearchLimits::work(1'000), 1'000U);
  EXPECT_EQ(SearchLimits::good_enough("a", 52), 52U);
}

TEST(SearchLimits, CountAsLongAsTheyLive) {
  {
    const SearchLimits outer({.gap = 0.03, .effort = 0.5, .of = "a", .least = 100});
    EXPECT_EQ(SearchLimits::work(1'000), 500U);
    EXPECT_EQ(SearchLimits::work(1), 1U);
    EXPECT_EQ(SearchLimits::good_enough("a", 52), 103U) << "the better bound counts";
    EXPECT_EQ(SearchLimits::good_enough("b", 52), 53U) << "and only for its problem";
    {
      const SearchLimits inner({.effort = 4});
      EXPECT_EQ(SearchLimits::work(1'000), 4'000U);
    }
    EXPECT_EQ(SearchLimits::work(1'000), 500U);
  }
  EXPECT_EQ(SearchLimits::work(1'000), 1'000U);
}

TEST(SearchLimits, AreStoppedFromOutside) {
  EXPECT_FALSE(searches_are_stopped());
  stop_searches();
  EXPECT_TRUE(searches_are_stopped());
  let_searches_run();
  EXPECT_FALSE(searches_are_stopped());
}

}  // namespace quadrille::search_limits_test
