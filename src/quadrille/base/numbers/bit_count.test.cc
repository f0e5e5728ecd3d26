#include "quadrille/base/numbers/bit_count.h"

#include <gtest/gtest.h>

#include <bit>

#include "quadrille/base/random.h"

namespace quadrille::bit_count_test {

TEST(BitCount, IsWhatTheStandardLibraryCounts) {
  EXPECT_EQ(bit_count(0), 0U);
  EXPECT_EQ(bit_count(~uint64_t{0}), 64U);
  Rng rng(1);
  for (uint32_t turn = 0; turn < 1000; ++turn) {
    // Of few bits, of many, and of any.
    const uint64_t any = rng.below(UINT64_MAX);
    for (const uint64_t word :
         {any, any & rng.below(UINT64_MAX), any | rng.below(UINT64_MAX), uint64_t{1} << (turn % 64)})
      EXPECT_EQ(bit_count(word), static_cast<uint64_t>(std::popcount(word))) << word;
  }
}

}  // namespace quadrille::bit_count_test
