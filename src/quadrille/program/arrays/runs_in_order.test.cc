#include "quadrille/program/arrays/runs_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace quadrille {
namespace runs_in_order_test {

using ::testing::ElementsAre;

std::vector<BlockId> ids(std::initializer_list<uint32_t> numbers) {
  std::vector<BlockId> out;
  for (const uint32_t number : numbers) out.push_back(BlockId{number});
  return out;
}

bool is_run(const std::vector<BlockId>& order, const std::vector<BlockId>& blocks) {
  const auto is_of_them = [&](BlockId block) { return std::ranges::find(blocks, block) != blocks.end(); };
  const auto first = std::ranges::find_if(order, is_of_them);
  return std::all_of(first, first + static_cast<ptrdiff_t>(blocks.size()), is_of_them);
}

TEST(RunsInOrder, NeighboursMakeAChain) {
  RunsInOrder runs(ids({0, 1, 2, 3}));
  EXPECT_TRUE(runs.take(ids({0, 3})));
  EXPECT_TRUE(runs.take(ids({3, 1})));
  EXPECT_FALSE(runs.take(ids({0, 1})));
  EXPECT_THAT(runs.order().size(), 4U);
  EXPECT_TRUE(is_run(runs.order(), ids({0, 3})));
  EXPECT_TRUE(is_run(runs.order(), ids({1, 3})));
}

TEST(RunsInOrder, WhatNobodyAsksForStays) {
  RunsInOrder runs(ids({5, 3, 8}));
  EXPECT_TRUE(runs.take(ids({5, 3, 8})));
  EXPECT_TRUE(runs.take(ids({3})));
  EXPECT_THAT(runs.order(), ElementsAre(BlockId{5}, BlockId{8}, BlockId{3}));
}

RC_GTEST_PROP(RunsInOrder, EverySetThatIsTakenStaysARun, ()) {
  const auto count = *rc::gen::inRange<uint32_t>(1, 12);
  std::vector<BlockId> all;
  for (uint32_t b = 0; b < count; ++b) all.push_back(BlockId{b});
  RunsInOrder runs(all);
  std::vector<std::vector<BlockId>> taken;
  for (int i = 0; i < 8; ++i) {
    std::vector<BlockId> some;
    const auto bits = *rc::gen::inRange<uint32_t>(1, 1U << count);
    for (uint32_t b = 0; b < count; ++b)
      if ((bits >> b & 1U) != 0) some.push_back(BlockId{b});
    if (runs.take(some)) taken.push_back(some);
    std::vector<BlockId> order = runs.order();
    for (const auto& set : taken) RC_ASSERT(is_run(order, set));
    std::ranges::sort(order);
    RC_ASSERT(order == all);
  }
}

}  // namespace runs_in_order_test
}  // namespace quadrille
