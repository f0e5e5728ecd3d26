#include "quadrille/cli/report/sizes/sweep_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "quadrille/testing/judged_steps.test.h"

namespace quadrille {
namespace sweep_plot_test {
namespace {

using ::testing::HasSubstr;

// Three algorithms that take 1 + b, 5 + b / 2 and 100 + b / 100: the first two are alike at 8 and 9 bytes, the others at 194.
NetworkSweep three_algorithms(const std::vector<uint64_t>& sizes) {
  const Problem plain = worms_on("ring(8)");
  Model model = plain.model();
  model.cost = {.ts = 1, .tx = 1};
  NetworkSweep out{{plain.topology(), plain.collective(), model},
                   {{{.algorithm = "short", .start_ups = 1, .rounds = 1},
                     {.algorithm = "middle", .pieces = 2, .start_ups = 5, .rounds = 1},
                     {.algorithm = "long", .pieces = 100, .start_ups = 100, .rounds = 1}},
                    {}}};
  for (const uint64_t bytes : sizes) {
    const size_t best = bytes <= 8 ? 0 : bytes <= 194 ? 1 : 2;
    out.sweep.rows.push_back(
        {.bytes = bytes, .best = best, .time = out.sweep.plans[best].time(model.cost, bytes)});
  }
  return out;
}

TEST(SweepPlot, BordersAreWhereBothTakeAsLong) {
  const NetworkSweep made = three_algorithms({1, 64, 4096});
  EXPECT_NEAR(border_between(made, "short", 1, "middle", 64), 9, 1);
  EXPECT_NEAR(border_between(made, "middle", 64, "long", 4096), 194, 2);
  // Those that are as fast at both sizes have no border of their own.
  EXPECT_NEAR(border_between(made, "short", 1, "short", 64), 8, 1e-9);
  const std::string script = sweep_plot(std::vector<NetworkSweep>{made}, "svg");
  EXPECT_THAT(script, HasSubstr("set object rect from 1, graph 0 to 9.4"));
  EXPECT_THAT(script, HasSubstr("to 4096, graph 1 behind"));
}

// All three within a few bytes of a wide range: their names stand side by side, and not on each other.
TEST(SweepPlot, NamesOfNarrowPartsStandApart) {
  const std::string script = sweep_plot(
      std::vector<NetworkSweep>{three_algorithms({8, 9, 10, 180, 194, 195, uint64_t{1} << 30U})}, "svg");
  std::vector<double> places;
  for (size_t at = 0; (at = script.find("set label ", at)) != std::string::npos; ++at)
    places.push_back(std::log2(std::stod(script.substr(script.find(" at ", at) + 4))));
  ASSERT_EQ(places.size(), 3U);
  for (size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 27.0 * 14 / 790 * 0.99);
}

}  // namespace
}  // namespace sweep_plot_test
}  // namespace quadrille
