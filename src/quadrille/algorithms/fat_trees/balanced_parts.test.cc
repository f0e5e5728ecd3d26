#include "quadrille/algorithms/fat_trees/balanced_parts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>

namespace quadrille {
namespace balanced_parts_test {

// Every pair is in one part, and every block has in every part its share, rounded down or up, of what it had
// left.
void expect_balance(const std::vector<uint32_t>& block_sizes, uint32_t copies, uint64_t parts) {
  const uint32_t m = block_sizes.back();
  BalancedParts split(block_sizes, copies, parts);
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;
  std::vector<std::vector<uint64_t>> from_left;
  std::vector<std::vector<uint64_t>> to_left;
  for (const uint32_t size : block_sizes) {
    from_left.emplace_back(m / size, uint64_t{size} * m * copies);
    to_left.emplace_back(m / size, uint64_t{size} * m * copies);
  }
  while (split.left() > 0) {
    const uint64_t left = split.left();
    const std::vector<BalancedParts::Pair> part = split.next();
    for (const BalancedParts::Pair& pair : part) {
      EXPECT_LT(pair.copy, copies);
      EXPECT_TRUE(seen.insert({pair.from, pair.to, pair.copy}).second);
    }
    for (size_t s = 0; s < block_sizes.size(); ++s) {
      std::vector<uint64_t> from(m / block_sizes[s], 0);
      std::vector<uint64_t> to(m / block_sizes[s], 0);
      for (const BalancedParts::Pair& pair : part) {
        ++from[pair.from / block_sizes[s]];
        ++to[pair.to / block_sizes[s]];
      }
      for (size_t b = 0; b < from.size(); ++b) {
        EXPECT_GE(from[b], from_left[s][b] / left);
        EXPECT_LE(from[b], (from_left[s][b] + left - 1) / left);
        EXPECT_GE(to[b], to_left[s][b] / left);
        EXPECT_LE(to[b], (to_left[s][b] + left - 1) / left);
        from_left[s][b] -= from[b];
        to_left[s][b] -= to[b];
      }
    }
  }
  EXPECT_EQ(seen.size(), size_t{m} * m * copies);
}

TEST(BalancedParts, SpreadASinglePairAndAFewBlocks) {
  expect_balance({1}, 1, 1);
  expect_balance({1}, 3, 2);
  expect_balance({1, 2, 4}, 3, 5);
  expect_balance({1, 3, 6, 12}, 1, 7);
}

TEST(BalancedParts, MayBeMoreThanThereArePairs) { expect_balance({1, 2}, 1, 9); }

RC_GTEST_PROP(BalancedParts, AreEvenForAnyBlocksAndAnyNumberOfParts, ()) {
  std::vector<uint32_t> block_sizes{1};
  for (const auto factor : *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(2, 5))) {
    if (block_sizes.back() * factor > 16) break;
    block_sizes.push_back(block_sizes.back() * factor);
  }
  expect_balance(block_sizes, *rc::gen::inRange<uint32_t>(1, 4), *rc::gen::inRange<uint64_t>(1, 40));
}

}  // namespace balanced_parts_test
}  // namespace quadrille
