#include "quadrille/algorithms/graphs/group_sizes.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace quadrille {
namespace {

// Along a line: the middle of three is a hop from either end.
double on_a_line(size_t /*dimension*/, uint32_t length) {
  double all = 0;
  for (uint32_t x = 0; x < length; ++x) all += x > length / 2 ? x - length / 2 : length / 2 - x;
  return all / length;
}

TEST(GroupSizes, OneLevelIsTheWholeWay) {
  const std::array<uint32_t, 2> sides{4, 6};
  const GroupSizes::Chain chain = GroupSizes::boxes(sides, on_a_line).best(1);
  EXPECT_EQ(chain.sizes, (std::vector<GroupSizes::Size>{{1, 1}}));
  EXPECT_DOUBLE_EQ(chain.hops, 23 * (on_a_line(0, 4) + on_a_line(1, 6)));
}

TEST(GroupSizes, GroupsLieInGroupsAndMoreLevelsTakeFewerHops) {
  const std::vector<std::vector<uint32_t>> grids{{16, 16}, {9, 10}, {2, 2, 2, 2, 2, 2}, {31, 7}, {5, 4, 3}};
  for (const std::vector<uint32_t>& sides : grids) {
    const GroupSizes sizes = GroupSizes::boxes(sides, on_a_line);
    double before = sizes.best(1).hops;
    for (uint32_t levels = 2; levels <= 6; ++levels) {
      const GroupSizes::Chain chain = sizes.best(levels);
      ASSERT_EQ(chain.sizes.size(), levels);
      EXPECT_LE(chain.hops, before);
      before = chain.hops;
      for (size_t k = 0; k < levels; ++k)
        for (size_t d = 0; d < sides.size(); ++d)
          EXPECT_LE(chain.sizes[k][d], k == 0 ? sides[d] : chain.sizes[k - 1][d]);
      for (const uint32_t length : chain.sizes.back()) EXPECT_EQ(length, 1U);
    }
  }
}

TEST(GroupSizes, OfASquareTheBoxesAreNearlySquare) {
  const std::array<uint32_t, 2> sides{32, 32};
  for (const GroupSizes::Size& size : GroupSizes::boxes(sides, on_a_line).best(4).sizes)
    EXPECT_LE(size[0], 2 * size[1]);
}

TEST(GroupSizes, BallsGoDownToOneRank) {
  // As on a plane: m ranks within a distance that grows with the root of m.
  std::vector<double> spread{0};
  for (uint32_t m = 1; m <= 500; ++m) spread.push_back(m == 1 ? 0 : 0.5 * static_cast<double>(m) / 20);
  const GroupSizes sizes = GroupSizes::balls(spread);
  EXPECT_EQ(sizes.best(1).sizes, (std::vector<GroupSizes::Size>{{1}}));
  EXPECT_LT(sizes.best(3).hops, sizes.best(1).hops / 3);
  EXPECT_EQ(GroupSizes::balls(std::vector<double>{0, 0}).best(2).hops, 0) << "a rank by itself";
}

}  // namespace
}  // namespace quadrille
