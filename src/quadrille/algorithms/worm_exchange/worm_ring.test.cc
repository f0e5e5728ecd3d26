#include "quadrille/algorithms/worm_exchange/worm_ring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quadrille/algorithms/worm_exchange/reference_fronts.test.h"
#include "quadrille/algorithms/worm_exchange/worm_front.h"

namespace quadrille {
namespace worm_ring_test {

// Follows every block; says what is wrong, or nothing.
std::string fault_of(const RingSchedule& ring) {
  const uint32_t n = ring.length();
  std::vector<uint32_t> at(size_t{n} * n);
  for (uint32_t s = 0; s < n; ++s) std::fill_n(at.begin() + s * n, n, s);
  for (size_t p = 0; p < ring.num_phases(); ++p) {
    std::vector<uint32_t> sends(n, 0);
    std::vector<uint32_t> gets(n, 0);
    std::vector<uint32_t> up(n, 0);
    std::vector<uint32_t> down(n, 0);
    std::vector<uint32_t> next = at;
    for (const RingWorm& worm : ring.phase(p)) {
      if (sends[worm.from]++ > 0 || gets[worm.to]++ > 0) return fmt::format("ports in phase {}", p);
      for (uint32_t v = worm.from; v != worm.to; v = (worm.up ? v + 1 : v + n - 1) % n) {
        if ((worm.up ? up : down)[v]++ > 0) return fmt::format("a link twice in phase {}", p);
      }
      if (ring.blocks(worm).empty()) return "a worm without blocks";
      for (const RingBlock& block : ring.blocks(worm)) {
        if (at[block.source * n + block.target] != worm.from) return fmt::format("not there, phase {}", p);
        next[block.source * n + block.target] = worm.to;
      }
    }
    at = next;
  }
  for (uint32_t b = 0; b < at.size(); ++b) {
    if (at[b] != b % n) return fmt::format("{} to {} is left at {}", b / n, b % n, at[b]);
  }
  return "";
}

std::vector<RingRecipe> recipes(uint32_t n) {
  std::vector<RingRecipe> out = {{.form = RingForm::kDirect}, {.form = RingForm::kOneWay}};
  for (const bool lazy : {false, true}) {
    out.push_back({.lazy = lazy});
    out.push_back({.published = true, .lazy = lazy});
    for (const uint32_t sparsest : {3U, 4U}) out.push_back({.evenly = sparsest, .lazy = lazy});
    for (uint32_t k = 3; k <= std::max(4U, n / 2); ++k)
      out.push_back({.form = RingForm::kRotation, .evenly = k, .lazy = lazy});
    for (const uint32_t level : {1U, 2U, 3U})
      out.push_back({.form = RingForm::kRotation, .level = level, .lazy = lazy});
  }
  return out;
}

WormCost cost(uint32_t n, const RingRecipe& recipe) { return ring_schedule(n, recipe).cost(); }

TEST(WormRing, EveryRecipeDeliversOnEveryLength) {
  for (uint32_t n = 1; n <= 21; ++n) {
    for (const RingRecipe& recipe : recipes(n))
      EXPECT_EQ(fault_of(ring_schedule(n, recipe)), "") << n << " nodes, " << recipe.name();
  }
}

TEST(WormRing, LongerRingsDeliver) {
  for (const uint32_t n : {31U, 33U, 50U, 63U}) {
    for (const RingRecipe& recipe :
         {RingRecipe{}, RingRecipe{.lazy = true}, RingRecipe{.form = RingForm::kRotation, .evenly = 5},
          RingRecipe{.form = RingForm::kRotation, .level = 2}})
      EXPECT_EQ(fault_of(ring_schedule(n, recipe)), "") << n << " nodes, " << recipe.name();
  }
}

TEST(WormRing, ThePublishedSchemeCostsWhatTheoremOneSays) {
  const RingRecipe published{.published = true};
  EXPECT_EQ(cost(8, published), (WormCost{4, 14}));
  EXPECT_EQ(cost(16, published), (WormCost{6, 45}));
  EXPECT_EQ(cost(32, published), (WormCost{8, 171}));
  EXPECT_EQ(cost(64, published), (WormCost{10, 679}));
  EXPECT_EQ(cost(128, published), (WormCost{12, 2743}));
}

TEST(WormRing, SharingOppositeBlocksByParitySavesAPhase) {
  EXPECT_EQ(cost(8, {}), (WormCost{3, 12}));
  EXPECT_EQ(cost(16, {}), (WormCost{5, 40}));
  EXPECT_EQ(cost(32, {}), (WormCost{7, 160}));
  EXPECT_EQ(cost(64, {}), (WormCost{9, 664}));
  EXPECT_EQ(cost(128, {}), (WormCost{11, 2712}));
}

TEST(WormRing, RotationAmongSparseNodesComesNearTheBound) {
  const auto rotation = [](uint32_t n, uint32_t level) {
    return cost(n, {.form = RingForm::kRotation, .level = level});
  };
  EXPECT_EQ(rotation(32, 1), (WormCost{9, 144}));
  EXPECT_EQ(rotation(64, 3), (WormCost{9, 656}));
  EXPECT_EQ(rotation(64, 2), (WormCost{11, 592}));
  EXPECT_EQ(rotation(64, 1), (WormCost{17, 544}));
  EXPECT_EQ(rotation(128, 4), (WormCost{11, 2664}));
  EXPECT_EQ(rotation(128, 3), (WormCost{13, 2416}));
  EXPECT_EQ(rotation(128, 2), (WormCost{19, 2224}));
  EXPECT_EQ(rotation(128, 1), (WormCost{33, 2112}));
}

TEST(WormRing, GoingRoundCostsEveryBlockItsWholeWay) {
  EXPECT_EQ(cost(16, {.form = RingForm::kOneWay}), (WormCost{15, 120}));
  EXPECT_EQ(cost(5, {.form = RingForm::kOneWay}), (WormCost{4, 10}));
}

TEST(WormRing, TheConjectureOnOtherSizesIsFalse) {
  // At most what the next power of two costs: 45 for 16, 171 for 32.
  EXPECT_EQ(cost(14, {.published = true, .lazy = true}).blocks, 51U);
  EXPECT_EQ(cost(30, {.published = true}).blocks, 175U);
}

TEST(WormRing, TheFrontIsAtLeastAsGoodAsTheReferenceTable) {
  for (const ReferenceFront& row : reference_ring_fronts()) {
    const std::vector<RingOption> front = ring_front(row.length);
    const auto expect_reached = [&](uint64_t start_ups, uint64_t blocks) {
      EXPECT_TRUE(std::any_of(front.begin(), front.end(),
                              [&](const RingOption& option) {
                                return option.cost.start_ups <= start_ups && option.cost.blocks <= blocks;
                              }))
          << row.length << " nodes, " << start_ups << " start-ups, " << blocks << " blocks";
    };
    for (const FoundCost& reached : row.front) expect_reached(reached.start_ups, reached.blocks);
    // Blocks sent directly, one a worm, from 5 nodes to 16: as many start-ups.
    constexpr std::array<uint64_t, 12> kDirect = {5, 6, 7, 10, 13, 15, 18, 22, 24, 27, 31, 35};
    if (row.length - 5 < kDirect.size()) expect_reached(kDirect[row.length - 5], kDirect[row.length - 5]);
  }
}

TEST(WormRing, AFrontHasNoMemberThatAnotherBeats) {
  const std::vector<RingOption> front = ring_front(24);
  for (size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i].cost.start_ups, front[i - 1].cost.start_ups);
    EXPECT_LT(front[i].cost.blocks, front[i - 1].cost.blocks);
  }
}

TEST(WormRingSlow, LengthsUpTo128Deliver) {
  for (uint32_t n = 22; n <= 128; n = n < 64 ? n + 1 : n + 7) {
    for (const RingRecipe& recipe : recipes(n)) {
      if (recipe.form == RingForm::kDirect && n > 32) continue;
      EXPECT_EQ(fault_of(ring_schedule(n, recipe)), "") << n << " nodes, " << recipe.name();
    }
  }
}

TEST(WormRing, WithoutItsBlocksAScheduleKnowsItsLoads) {
  for (const uint32_t n : {2U, 3U, 4U, 9U, 16U, 30U}) {
    for (const RingForm form : {RingForm::kTree, RingForm::kRotation, RingForm::kDirect, RingForm::kOneWay}) {
      const RingRecipe recipe{.form = form};
      const RingSchedule full = ring_schedule(n, recipe);
      const RingSchedule loads = ring_schedule(n, recipe, false);
      ASSERT_EQ(loads.num_phases(), full.num_phases()) << n << " nodes, " << recipe.name();
      for (size_t p = 0; p < full.num_phases(); ++p) EXPECT_EQ(loads.largest(p), full.largest(p));
    }
  }
}

TEST(WormRing, PhasesAreThoseOfTheSchedule) {
  for (const uint32_t n : {1U, 2U, 5U, 8U}) {
    for (const RingForm form : {RingForm::kTree, RingForm::kOneWay}) {
      const RingSchedule full = ring_schedule(n, {.form = form});
      const RingPhases phases(n, {.form = form});
      ASSERT_EQ(phases.size(), full.num_phases());
      for (size_t p = 0; p < full.num_phases(); ++p) {
        size_t w = 0;
        phases.for_each_worm(p, [&](const RingWorm& worm, std::span<const RingBlock> blocks) {
          const RingWorm& expected = full.phase(p)[w++];
          EXPECT_EQ(worm.from, expected.from);
          EXPECT_TRUE(std::equal(blocks.begin(), blocks.end(), full.blocks(expected).begin(),
                                 full.blocks(expected).end()));
        });
        EXPECT_EQ(w, full.phase(p).size());
      }
    }
  }
}

}  // namespace worm_ring_test
}  // namespace quadrille
