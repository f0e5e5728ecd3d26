#include "quadrille/algorithms/products/round_offsets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace quadrille {
namespace round_offsets_test {

using Side = RoundOffsets::Side;

uint64_t line_steps(uint32_t n) { return uint64_t{n} * n / 4; }
uint64_t ring_steps(uint32_t n) { return (uint64_t{n} * n + 7) / 8; }
uint64_t complete_steps(uint32_t) { return 1; }

// Every displacement once, and each round has one type for every offset.
void expect_complete(const RoundOffsets& offsets, const std::vector<Side>& sides) {
  uint32_t types = 1;
  for (const Side& side : sides) types *= side.nodes;
  std::set<std::vector<uint32_t>> displacements;
  for (uint32_t t = 0; t < types; ++t) {
    std::vector<uint32_t> d;
    for (size_t i = 0; i < sides.size(); ++i) {
      d.push_back(offsets.offset(i, t));
      const uint32_t first = offsets.first_type(i, offsets.round_of(i, t));
      EXPECT_TRUE(first <= t && t < first + offsets.group_size(i));
    }
    displacements.insert(d);
  }
  EXPECT_EQ(displacements.size(), types);
}

// No type is aboard two rounds at once, and no round is longer than there is room for.
void expect_disjoint(const RoundOffsets& offsets, const std::vector<Side>& sides) {
  uint32_t types = 1;
  for (const Side& side : sides) types *= side.nodes;
  for (uint32_t t = 0; t < types; ++t) {
    for (size_t i = 0; i < sides.size(); ++i) {
      const uint64_t a = offsets.start(i, offsets.round_of(i, t));
      EXPECT_LE(a + sides[i].length, offsets.steps());
      for (size_t j = 0; j < i; ++j) {
        const uint64_t b = offsets.start(j, offsets.round_of(j, t));
        if (offsets.offset(i, t) == 0 || offsets.offset(j, t) == 0) continue;
        EXPECT_TRUE(a + sides[i].length <= b || b + sides[j].length <= a) << fmt::format("type {}", t);
      }
    }
  }
}

TEST(RoundOffsets, TwoOrThreeSmallFactorsNeverNeedMoreThanTheirLongestDimension) {
  const auto kinds = {line_steps, ring_steps, complete_steps};
  for (uint32_t a = 2; a <= 5; ++a) {
    for (uint32_t b = 2; b <= 5; ++b) {
      for (const auto first : kinds) {
        for (const auto second : kinds) {
          for (const uint32_t c : {0U, 2U, 3U}) {
            std::vector<Side> sides = {{a, 1, first(a)}, {b, 1, second(b)}};
            if (c > 0) sides.push_back({c, 1, line_steps(c)});
            const auto offsets = RoundOffsets::find(sides);
            ASSERT_TRUE(offsets.has_value()) << fmt::format("{} x {} x {}", a, b, c);
            expect_complete(*offsets, sides);
            expect_disjoint(*offsets, sides);
          }
        }
      }
    }
  }
}

TEST(RoundOffsets, WhereThereIsOneLongRoundOnlyTheDimensionsTakeTurns) {
  // All types ride in the one double round of the six, from beginning to end.
  const std::vector<Side> sides = {{6, 2, 9}, {2, 1, 1}};
  EXPECT_FALSE(RoundOffsets::find(sides).has_value());
  const RoundOffsets longer = RoundOffsets::find_longer(sides);
  EXPECT_LE(longer.steps(), 15U);
  expect_complete(longer, sides);
  expect_disjoint(longer, sides);
}

}  // namespace round_offsets_test
}  // namespace quadrille
