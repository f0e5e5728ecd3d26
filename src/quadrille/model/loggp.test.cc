#include "quadrille/model/loggp.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace loggp_test {

std::string error_of(std::string_view text) {
  try {
    (void)parse_loggp(text, "--loggp");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LogGP, IsAStartUpAByteAndAFurtherMessage) {
  const CostConstants cost = loggp_costs(parse_loggp("1us,300ns,0.4us,100Gbit/s", "--loggp"));
  EXPECT_DOUBLE_EQ(cost.ts, 1.6);
  EXPECT_DOUBLE_EQ(cost.to, 0.4);
  EXPECT_DOUBLE_EQ(cost.tx, 8e-5);
  EXPECT_TRUE(cost.in_microseconds);
}

TEST(LogGP, TheProcessorLimitsWhereItsOverheadIsLongerThanTheGap) {
  EXPECT_EQ(loggp_costs(parse_loggp("5,2,1,0.5", "--loggp")), (CostConstants{.ts = 9, .tx = 0.5, .to = 2}));
}

TEST(LogGP, WhatCannotBeReadIsShown) {
  EXPECT_EQ(
      error_of("1us,2us"),
      "--loggp: '1us,2us' has 2 parts; allowed are four, L,o,g,G: latency, overhead, gap and gap per byte, such "
      "as 1us,0.3us,0.4us,100Gbit/s");
  EXPECT_EQ(error_of("1us,2us,3Gbit/s,4"),
            "--loggp, g: 'Gbit/s' is no unit of time; allowed are s, ms, us, ns, ps\n"
            "  3Gbit/s\n"
            "   ^~~~~~");
}

}  // namespace loggp_test
}  // namespace quadrille
