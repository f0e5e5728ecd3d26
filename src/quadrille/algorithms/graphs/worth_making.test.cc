#include "quadrille/algorithms/graphs/worth_making.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace worth_making_test {

TEST(WorthMaking, EveryPlanIsUntilSomebodySaysOtherwise) {
  EXPECT_FALSE(WorthMaking::is_limited());
  EXPECT_TRUE(WorthMaking::is_any_of(UINT64_MAX - 1));
  {
    const WorthMaking wanted(10);
    EXPECT_TRUE(WorthMaking::is_limited());
    EXPECT_TRUE(WorthMaking::is_any_of(9));
    EXPECT_FALSE(WorthMaking::is_any_of(10));
    {
      const WorthMaking more(20);
      EXPECT_FALSE(WorthMaking::is_any_of(10)) << "of several the fewest";
      const WorthMaking fewer(5);
      EXPECT_FALSE(WorthMaking::is_any_of(5));
    }
    EXPECT_TRUE(WorthMaking::is_any_of(9));
  }
  EXPECT_FALSE(WorthMaking::is_limited());
}

TEST(WorthMaking, WhoAsksInPassingSaysSo) {
  EXPECT_FALSE(WorthMaking::is_asked_in_passing());
  {
    const WorthMaking wanted(10, true);
    const WorthMaking within(5);
    EXPECT_TRUE(WorthMaking::is_asked_in_passing());
  }
  EXPECT_FALSE(WorthMaking::is_asked_in_passing());
}

TEST(WorthMaking, APlanTakesStartUpsAndRounds) {
  {
    const WorthMaking wanted(100, false, {.than = 10.0, .of_start_up = 1.0, .of_round = 0.5});
    EXPECT_TRUE(WorthMaking::is_limited());
    EXPECT_TRUE(WorthMaking::is_by_time());
    EXPECT_TRUE(WorthMaking::is_any_of(9));
    EXPECT_FALSE(WorthMaking::is_any_of(10)) << "as much is of no use";
    EXPECT_TRUE(WorthMaking::is_any_of(4, 11));
    EXPECT_FALSE(WorthMaking::is_any_of(4, 12));
    {
      const WorthMaking fewer(5);
      EXPECT_FALSE(WorthMaking::is_any_of(5));
      EXPECT_FALSE(WorthMaking::is_any_of(4, 12)) << "the time is as before";
      const WorthMaking longer(UINT64_MAX, false, {.than = 20.0, .of_start_up = 1.0, .of_round = 0.5});
      EXPECT_TRUE(WorthMaking::is_any_of(4, 12)) << "of several the last";
    }
    EXPECT_FALSE(WorthMaking::is_any_of(4, 12));
  }
  EXPECT_FALSE(WorthMaking::is_limited());
  EXPECT_FALSE(WorthMaking::is_by_time());
  const WorthMaking by_steps(10);
  EXPECT_FALSE(WorthMaking::is_by_time());
  const WorthMaking any_time(UINT64_MAX, true, {.of_start_up = 1.0});
  EXPECT_TRUE(WorthMaking::is_by_time()) << "whatever time is allowed";
}

}  // namespace worth_making_test
}  // namespace quadrille
