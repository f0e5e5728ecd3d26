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

}  // namespace worth_making_test
}  // namespace quadrille
