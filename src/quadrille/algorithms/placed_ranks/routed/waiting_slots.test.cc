// Where partial sums wait: no two in one slot at once, and what is left over is replaced.
#include "quadrille/algorithms/placed_ranks/routed/waiting_slots.h"

#include <gtest/gtest.h>

#include <vector>

namespace quadrille {
namespace waiting_slots_test {

constexpr uint32_t kAll = SumSlots::kAll;

TEST(WaitingSlots, AddWhatComesLateToTheSumItself) {
  WaitingSlots slots;
  slots.reads = {{.turn = 0, .step = 2, .hop = 0, .slots = kAll},
                 {.turn = 2, .step = 5, .hop = 2, .slots = kAll}};
  slots.arrivals = {{.turn = 1, .step = 2, .hop = 1, .slot = 0, .op = TransferOp::kDefault}};
  std::vector<HopSlots> chosen(3);
  const WaitingSlots::Kept kept = slots.choose(true, chosen);
  EXPECT_TRUE(kept.fits && kept.is_clean);
  EXPECT_EQ(kept.slots, 1U);
  EXPECT_EQ(chosen[1].slots.to, 0U);
  EXPECT_EQ(chosen[1].op, TransferOp::kDefault);
  EXPECT_EQ(chosen[2].slots.from, 1U);
}

TEST(WaitingSlots, KeepApartWhatComesBeforeTheSumIsSent) {
  WaitingSlots slots;
  slots.reads = {{.turn = 0, .step = 3, .hop = 0, .slots = kAll},
                 {.turn = 2, .step = 5, .hop = 2, .slots = kAll}};
  slots.arrivals = {{.turn = 1, .step = 1, .hop = 1, .slot = 0, .op = TransferOp::kDefault}};
  std::vector<HopSlots> chosen(3);
  const WaitingSlots::Kept kept = slots.choose(true, chosen);
  EXPECT_TRUE(kept.fits && kept.is_clean);
  EXPECT_EQ(chosen[0].slots.from, 1U);
  EXPECT_EQ(chosen[1].op, TransferOp::kCopy);
  ASSERT_EQ(chosen[1].slots.to, 1U);
  EXPECT_EQ(chosen[2].slots.from, 0b11U);
  EXPECT_EQ(kept.slots, 0b11U);
}

TEST(WaitingSlots, ReplaceWhatWasPassedOnByWhatComesLast) {
  WaitingSlots slots;
  slots.reads = {{.turn = 0, .step = 0, .hop = 0, .slots = kAll}};
  slots.transits = {{.arrives = 0, .leaves = 1, .hop_in = 1, .hop_out = 2},
                    {.arrives = 1, .leaves = 2, .hop_in = 3, .hop_out = 4}};
  slots.arrivals = {{.turn = 1, .step = 2, .hop = 5, .slot = 0, .op = TransferOp::kDefault}};
  std::vector<HopSlots> chosen(6);
  const WaitingSlots::Kept kept = slots.choose(true, chosen);
  EXPECT_TRUE(kept.is_clean);
  EXPECT_EQ(kept.slots, 0b11U);
  for (const size_t in : {1U, 3U, 5U}) {
    EXPECT_EQ(chosen[in].slots.to, 1U) << "one leaves as the next one comes";
    EXPECT_EQ(chosen[in].op, TransferOp::kCopy);
  }
  EXPECT_EQ(chosen[2].slots.from, 0b10U);
  slots.transits.push_back({.arrives = 2, .leaves = 4, .hop_in = 1, .hop_out = 2});
  EXPECT_FALSE(slots.choose(true, chosen).is_clean) << "nothing comes after the third";
  EXPECT_TRUE(slots.choose(false, chosen).fits);
}

TEST(WaitingSlots, AreEmptyOnceACompleteSumIsThere) {
  WaitingSlots slots;
  slots.transits = {{.arrives = 0, .leaves = 2, .hop_in = 0, .hop_out = 1},
                    {.arrives = 1, .leaves = 2, .hop_in = 2, .hop_out = 3}};
  slots.arrivals = {{.turn = 1, .step = 2, .hop = 4, .slot = 0, .op = TransferOp::kCopy}};
  std::vector<HopSlots> chosen(5);
  const WaitingSlots::Kept kept = slots.choose(true, chosen);
  EXPECT_TRUE(kept.is_clean);
  EXPECT_EQ(kept.slots, 1U);
  EXPECT_NE(chosen[0].slots.to, chosen[2].slots.to);
}

TEST(WaitingSlots, AreThirtyTwo) {
  WaitingSlots slots;
  std::vector<HopSlots> chosen(2 * SumSlots::kCount);
  for (uint32_t t = 0; t + 1 < SumSlots::kCount; ++t)
    slots.transits.push_back({.arrives = t, .leaves = 100, .hop_in = 2 * t, .hop_out = 2 * t + 1});
  EXPECT_TRUE(slots.choose(false, chosen).fits);
  slots.transits.push_back({.arrives = 50, .leaves = 51, .hop_in = 62, .hop_out = 63});
  EXPECT_FALSE(slots.choose(false, chosen).fits);
}

}  // namespace waiting_slots_test
}  // namespace quadrille
