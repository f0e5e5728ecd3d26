#include "quadrille/model/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace machine_test {

TEST(Machine, EveryCardIsPricedInMicrosecondsAndSaysWhereFrom) {
  EXPECT_TRUE(std::ranges::is_sorted(machine_catalog().names()));
  for (const Machine* card : machine_catalog()) {
    EXPECT_TRUE(card->cost.in_microseconds) << card->name;
    EXPECT_GT(card->cost.ts, 0) << card->name;
    EXPECT_GT(card->cost.tx, 0) << card->name;
    EXPECT_FALSE(card->source.empty()) << card->name;
    EXPECT_EQ(machine_with(card->cost)->cost, card->cost) << card->name;
    EXPECT_EQ(&find_machine(card->name), card);
  }
}

TEST(Machine, TheDefaultIsAMicrosecondAndAHundredGigabits) {
  EXPECT_EQ(default_machine().cost, (CostConstants{.ts = 1, .tx = 8e-5, .in_microseconds = true}));
  EXPECT_EQ(to_text(default_machine().cost), "1 us a start-up, 0.08 ns a byte (100 Gbit/s)");
  EXPECT_EQ(machine_with({.ts = 7}), nullptr);
}

TEST(Machine, AnUnknownNameIsToldTheKnownOnes) {
  try {
    (void)find_machine("cm5");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("--machine: 'cm5' is given; allowed are links_100g, links_200g"));
  }
}

}  // namespace machine_test
}  // namespace quadrille
