// Trees in a row of which every beginning loads links alike.
#include "quadrille/algorithms/graphs/even_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "quadrille/base/random.h"

namespace quadrille {
namespace even_order_test {
namespace {

using Uses = std::vector<std::vector<uint32_t>>;

constexpr uint32_t kLinks = 40;

// By how much any beginning of the row loads one of the first links more, or less, than its share of what all do.
double unevenness(const Uses& uses, const std::vector<uint32_t>& order, size_t links) {
  std::vector<double> total(kLinks, 0);
  for (const auto& item : uses)
    for (const uint32_t link : item) ++total[link];
  std::vector<double> used(kLinks, 0);
  double most = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    for (const uint32_t link : uses[order[k]]) ++used[link];
    for (size_t link = 0; link < links; ++link)
      most = std::max(most, std::abs(used[link] - total[link] * double(k + 1) / double(order.size())));
  }
  return most;
}

TEST(EvenOrder, TakesTurns) {
  const Uses uses{{0}, {0}, {0}, {1}, {1}, {1}};
  EXPECT_EQ(even_order(uses, {1, 1}), (std::vector<uint32_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_TRUE(even_order({}, {1}).empty());
  EXPECT_EQ(even_order(Uses{{}, {}}, {}), (std::vector<uint32_t>{0, 1}));
}

TEST(EvenOrder, OfLinksThatHaveLittleToDoIsLittleSaid) {
  // The first link is used by all but two, the second by a few: only of the first it matters when.
  Uses uses(12, std::vector<uint32_t>{0});
  for (size_t i = 0; i < 3; ++i) uses[i].push_back(1);
  uses[5].clear();
  uses[6].clear();
  const std::vector<uint32_t> order = even_order(uses, {1, 100});
  std::vector<size_t> without;
  for (size_t k = 0; k < order.size(); ++k)
    if (uses[order[k]].empty()) without.push_back(k);
  EXPECT_EQ(without.size(), 2U);
  EXPECT_LT(unevenness(uses, order, 1), 1);
}

TEST(EvenOrder, EachIsThereOnceAndAllBeginningsAreEven) {
  Rng rng(5);
  for (const size_t items : {1U, 2U, 3U, 17U, 64U, 200U}) {
    Uses uses(items);
    for (auto& item : uses)
      for (uint32_t link = 0; link < kLinks; ++link)
        if (rng.below(2) == 0) item.push_back(link);
    const std::vector<uint32_t> order = even_order(uses, CarriedAStep(kLinks, 1));
    std::vector<uint32_t> sorted = order;
    std::ranges::sort(sorted);
    std::vector<uint32_t> all(items);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    if (items >= 64) {
      EXPECT_LT(2 * unevenness(uses, order, kLinks), unevenness(uses, all, kLinks)) << items;
    }
  }
}

}  // namespace
}  // namespace even_order_test
}  // namespace quadrille
