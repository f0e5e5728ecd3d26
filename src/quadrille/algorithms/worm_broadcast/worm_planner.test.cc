#include "quadrille/algorithms/worm_broadcast/worm_planner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/algorithms/worm_broadcast/worm_blocks.h"
#include "quadrille/algorithms/worm_broadcast/worm_spread.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace worm_planner_test {

GridShape torus(std::vector<uint32_t> sides) {
  std::vector<bool> circular(sides.size(), true);
  return {std::move(sides), std::move(circular)};
}

GridShape square(size_t k, uint32_t n) { return torus(std::vector<uint32_t>(k, n)); }

std::vector<uint32_t> origin(const GridShape& shape) { return std::vector<uint32_t>(shape.dimensions(), 0); }

size_t boxes(const GridShape& shape) {
  WormBlocks blocks(shape);
  return blocks.steps(blocks.whole(origin(shape)));
}

// Sides up to this take so many steps.
struct UpTo {
  uint32_t side;
  uint32_t steps;
};

uint32_t steps_in(std::initializer_list<UpTo> table, uint32_t n) {
  for (const UpTo& row : table) {
    if (n <= row.side) return row.steps;
  }
  return 0;
}

TEST(WormPlanner, BoxesTakeTheStepsThatTheyAreKnownFor) {
  for (uint32_t n = 2; n <= 40; ++n)
    EXPECT_EQ(boxes(square(2, n)), steps_in({{3, 2}, {7, 3}, {15, 4}, {37, 5}, {40, 6}}, n)) << n;
  for (uint32_t n = 2; n <= 10; ++n)
    EXPECT_EQ(boxes(square(3, n)), steps_in({{3, 3}, {7, 4}, {12, 5}}, n)) << n;
  for (uint32_t n = 2; n <= 7; ++n) EXPECT_EQ(boxes(square(4, n)), steps_in({{3, 4}, {7, 5}}, n)) << n;
  for (const auto& [sides, steps] : std::vector<std::pair<std::vector<uint32_t>, size_t>>{{{4, 8}, 3},
                                                                                          {{5, 7}, 3},
                                                                                          {{9, 25}, 4},
                                                                                          {{12, 5}, 4},
                                                                                          {{3, 20}, 3},
                                                                                          {{20, 3}, 4},
                                                                                          {{4, 6, 8}, 4},
                                                                                          {{30, 13}, 5}})
    EXPECT_EQ(boxes(torus(sides)), steps) << torus(sides).text();
}

TEST(WormPlannerSlow, BoxesTakeTheStepsThatTheyAreKnownForOnLargerTori) {
  for (const uint32_t n : {50U, 51U, 55U, 62U, 63U, 64U, 75U}) EXPECT_EQ(boxes(square(2, n)), 6U) << n;
  for (const uint32_t n : {100U, 110U, 125U}) EXPECT_EQ(boxes(square(2, n)), 7U) << n;
  for (uint32_t n = 11; n <= 19; ++n) EXPECT_EQ(boxes(square(3, n)), steps_in({{13, 5}, {19, 6}}, n)) << n;
}

TEST(WormPlanner, SpreadAlignExpandTakesTheStepsThatItIsKnownFor) {
  for (uint32_t n = 3; n <= 128; ++n)
    EXPECT_EQ(worm_spread_steps(square(2, n)), 1 + steps_to_reach(5, n) + steps_to_reach(5, (n + 1) / 2));
  for (uint32_t n = 3; n <= 32; ++n)
    EXPECT_EQ(worm_spread_steps(square(3, n)), steps_in({{7, 4}, {12, 5}, {20, 6}, {32, 7}}, n)) << n;
  for (uint32_t n = 3; n <= 8; ++n) EXPECT_EQ(worm_spread_steps(square(4, n)), 5U) << n;
}

TEST(WormPlannerSlow, SpreadAlignExpandTakesTheStepsThatItIsKnownForOnLargerTori) {
  EXPECT_EQ(worm_spread_steps(square(3, 48)), 7U);
  EXPECT_EQ(worm_spread_steps(square(3, 49)), 7U);
  EXPECT_EQ(worm_spread_steps(square(3, 50)), 8U);
  EXPECT_EQ(worm_spread_steps(square(3, 64)), 8U);
}

TEST(WormPlanner, TheStepsAreThoseOfThePlanAndItIsMinimal) {
  std::vector<GridShape> shapes;
  for (uint32_t n = 2; n <= 45; ++n) shapes.push_back(square(2, n));
  for (uint32_t n = 2; n <= 12; ++n) shapes.push_back(square(3, n));
  for (size_t k = 4; k <= 9; ++k) shapes.push_back(square(k, 2));
  for (size_t k = 4; k <= 6; ++k) shapes.push_back(square(k, 3));
  shapes.push_back({{4, 5, 6}, {true, false, true}});
  shapes.push_back({{4, 4, 2}, {false, true, true}});
  shapes.push_back(torus({7, 1, 2, 9}));
  for (const GridShape& shape : shapes) {
    const PlannedWorms planned = plan_worms(shape, origin(shape));
    EXPECT_EQ(planned_steps(shape, origin(shape)), planned.plan.size()) << shape.text();
    EXPECT_TRUE(is_minimal(shape, planned.plan)) << shape.text() << ": " << planned.method;
  }
}

TEST(WormPlanner, DimensionsMayBeServedOneAfterAnother) {
  EXPECT_EQ(planned_steps(square(9, 2), origin(square(9, 2))), 4U);
  EXPECT_EQ(planned_steps(square(7, 3), origin(square(7, 3))), 4U);
  EXPECT_EQ(planned_steps(square(6, 4), origin(square(6, 4))), 5U);
  EXPECT_EQ(plan_worms(square(6, 4), origin(square(6, 4))).method, "stored 4 x 4, then stored 4 x 4 x 4 x 4");
}

TEST(SharedWorms, AreLookedForOnceOnWhicheverThread) {
  const GridShape shape = square(2, 7);
  const auto searches = [&](const WormLimits& limits) {
    const uint64_t before = work_counted(Work::kSearching);
    EXPECT_EQ(find_worms(shape, origin(shape), limits).make().size(),
              find_worms(shape, origin(shape), limits).steps);
    return work_counted(Work::kSearching) - before;
  };
  const uint64_t alone = searches({.sends = 1});
  EXPECT_GT(alone, 1U);
  const SharedWorms kept;
  EXPECT_EQ(searches({.sends = 1}), alone / 2);
  uint64_t beside = 1;
  std::thread other([&] { beside = searches({.sends = 1}); });
  other.join();
  EXPECT_EQ(beside, 0U);
  EXPECT_GT(searches({.sends = 2}), 0U);
}

}  // namespace worm_planner_test
}  // namespace quadrille
