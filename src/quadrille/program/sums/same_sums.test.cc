// Same sums: who adds up alike everywhere, and who does not.
#include "quadrille/program/sums/same_sums.h"

#include <gtest/gtest.h>

#include "quadrille/program/lower.h"
#include "quadrille/program/sample_schedules.test.h"

namespace quadrille {
namespace {

TEST(SameSums, OfAnExchangeOfPartialSums) {
  EXPECT_TRUE(gives_same_sums(lower(testing::doubling_allreduce(1))));
  EXPECT_TRUE(gives_same_sums(lower(testing::doubling_allreduce(3))));
}

// Three ranks have a + b, b + c and c + a, and each adds the third.
TEST(SameSums, NotOfSumsFromEitherSide) {
  EXPECT_FALSE(gives_same_sums(lower(testing::both_ways_allreduce(3))));
  EXPECT_FALSE(gives_same_sums(lower(testing::both_ways_allreduce(6, 2))));
}

TEST(SameSums, OfWhatHasOneSumOnly) {
  EXPECT_TRUE(gives_same_sums(lower(testing::ring_reduce_scatter(5))));
  EXPECT_TRUE(gives_same_sums(lower(testing::direct_alltoall(4))));
}

}  // namespace
}  // namespace quadrille
