#include "quadrille/options/cost_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/model/machine.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace cost_options_test {

using ::testing::HasSubstr;

constexpr CostConstants kWithoutUnits{.ts = 10, .tx = 2, .tl = 1};

TEST(CostOptions, OfAPlanWhatIsGivenReplacesWhatItStates) {
  const CostConstants stated{.ts = 3, .tx = 0.5, .tl = 0.25, .in_microseconds = true};
  EXPECT_EQ(CostOptions{}.constants_of_plan(stated), stated);
  CostConstants dearer = stated;
  dearer.to = 1;
  EXPECT_EQ(CostOptions{.to = "1us"}.constants_of_plan(stated), dearer);
  dearer.to = 0;
  dearer.ts = 2;
  EXPECT_EQ(CostOptions{.ts = "2"}.constants_of_plan(stated), dearer);
  // A machine, and LogGP, stand for all of them.
  EXPECT_EQ(CostOptions{.machine = "t3d"}.constants_of_plan(stated), find_machine("t3d").cost);
  EXPECT_EQ(CostOptions{.loggp = "1us,0.5us,2us,1ns/B"}.constants_of_plan(stated),
            CostOptions{.loggp = "1us,0.5us,2us,1ns/B"}.constants(true));
}

TEST(CostOptions, APlanThatStatesNoneIsOnAMachineAsItMostlyIs) {
  EXPECT_EQ(CostOptions{}.constants_of_plan({}), default_machine().cost);
  CostConstants packing = CostOptions{.rho = "1ns/B"}.constants_of_plan({});
  EXPECT_EQ(packing.tx, default_machine().cost.tx);
  EXPECT_EQ(packing.rho, 1e-3);
}

TEST(CostOptions, UnitsAreNotMixedWithNumbers) {
  EXPECT_EQ(CostOptions{.ts = "4"}.constants_of_plan(kWithoutUnits),
            (CostConstants{.ts = 4, .tx = 2, .tl = 1}));
  EXPECT_THAT(error_of([] { static_cast<void>(CostOptions{.ts = "4us"}.constants_of_plan(kWithoutUnits)); }),
              HasSubstr("--tx: the plan states 2 for it, which has no unit"));
  EXPECT_THAT(error_of([] {
                static_cast<void>(CostOptions{.ts = "4us", .tx = "1ns/B"}.constants_of_plan(kWithoutUnits));
              }),
              HasSubstr("--tl: the plan states 1 for it"));
  EXPECT_EQ((CostOptions{.ts = "4us", .tx = "1ns/B", .tl = "0us"}.constants_of_plan(kWithoutUnits)),
            (CostConstants{.ts = 4, .tx = 1e-3, .in_microseconds = true}));
}

}  // namespace cost_options_test
}  // namespace quadrille
