#include "quadrille/base/disjoint_sets.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace disjoint_sets_test {

TEST(DisjointSets, AreKnownByTheirSmallestMember) {
  DisjointSets sets(6);
  EXPECT_EQ(sets.count(), 6U);
  sets.join(5, 3);
  sets.join(4, 2);
  sets.join(3, 4);
  sets.join(2, 5);  // already
  EXPECT_EQ(sets.count(), 3U);
  for (const uint32_t k : {2U, 3U, 4U, 5U}) EXPECT_EQ(sets.of(k), 2U);
  EXPECT_EQ(sets.of(1), 1U);
  EXPECT_EQ(sets.members(), 6U);
}

}  // namespace disjoint_sets_test
}  // namespace quadrille
