#include "quadrille/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace quadrille {
namespace random_test {

TEST(Rng, GivesTheReferenceNumbersOfSplitmix64) {
  // The published first outputs for the seed 1234567.
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317U);
  EXPECT_EQ(rng.next(), 3203168211198807973U);
  EXPECT_EQ(rng.next(), 9817491932198370423U);
}

TEST(Rng, TheSameSeedGivesTheSameNumbers) {
  Rng a(5);
  Rng b(5);
  Rng other(6);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), other.next());
}

TEST(Rng, BelowStaysBelowAndReachesEverything) {
  Rng rng(1);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 1000; ++i) ++seen.at(rng.below(7));
  EXPECT_GT(*std::ranges::min_element(seen), 90);
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, ShuffleIsAPermutation) {
  std::vector<int> items(50);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Rng rng(3);
  rng.shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, items);
}

}  // namespace random_test
}  // namespace quadrille
