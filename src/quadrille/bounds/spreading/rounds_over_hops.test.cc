#include "quadrille/bounds/spreading/rounds_over_hops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace rounds_over_hops_test {

constexpr Model kMany{.send = kOnePort, .receive = kOnePort, .packets = Packets::kMany};

RoundsOverHops of(const std::string& spec, CollectiveKind kind = CollectiveKind::kBroadcast,
                  Model model = kMany) {
  return RoundsOverHops(standard_problem(parse_topology(spec), kind, model));
}

// What gets along a line of so many hops, if step j carries x_j: every hop passes on what it has, as much as there is room for.
double arrives(const std::vector<double>& x, size_t hops) {
  std::vector<double> has(hops + 1, 0.0);
  has[0] = 1;
  for (const double room : x) {
    for (size_t hop = hops; hop-- > 0;) {
      const double moved = std::min(room, has[hop]);
      has[hop] -= moved;
      has[hop + 1] += moved;
    }
  }
  return has[hops];
}

// A line with two ends, which have one link each, and links in the middle of any width would do with no fewer rounds than it says.
TEST(RoundsOverHops, NoStepsBringAMessageAlongALineInFewer) {
  std::mt19937 random(5);
  for (const size_t hops : {2U, 3U, 5U}) {
    const RoundsOverHops bound = of("line(" + std::to_string(hops + 1) + ")");
    for (size_t steps = hops; steps < 4 * hops; ++steps) {
      for (int trial = 0; trial < 3'000; ++trial) {
        std::vector<double> x(steps);
        for (double& rounds : x)
          rounds = random() % 3 == 0 ? 0.0 : static_cast<double>(random() % 1000) / 1000;
        // Twice as much of each brings twice as much, until all is there.
        double enough = 1.0;
        while (arrives(x, hops) < 1 - 1e-12 && enough < 64) {
          for (double& rounds : x) rounds *= 1.1;
          enough *= 1.1;
        }
        if (arrives(x, hops) < 1 - 1e-12) continue;
        EXPECT_GE(std::accumulate(x.begin(), x.end(), 0.0), bound.in_steps(steps) * (1 - 1e-9));
      }
    }
  }
}

TEST(RoundsOverHops, SaysTwiceTheMessageInAsManyStepsAsHops) {
  EXPECT_DOUBLE_EQ(of("line(9)").in_steps(8), 2.0);
  EXPECT_DOUBLE_EQ(of("line(9)").in_steps(14), 2.0);
  EXPECT_DOUBLE_EQ(of("line(9)").in_steps(15), 1.5);
  EXPECT_TRUE(std::isinf(of("line(9)").in_steps(7)));
  Model all = kMany;
  all.send = all.receive = kAllPorts;
  EXPECT_DOUBLE_EQ(of("torus(8,8)", CollectiveKind::kAllreduce, all).in_steps(8), 0.5);
  EXPECT_DOUBLE_EQ(of("mesh(5,5)", CollectiveKind::kReduce, all).in_steps(8), 1.0);
}

TEST(RoundsOverHops, FindsTheStepsThatTakeTheLeastTime) {
  const RoundsOverHops bound = of("mesh(5,7)");
  for (const double message_time : {0.1, 3.0, 40.0, 900.0}) {
    const RoundsOverHops::Least found = bound.least(12, 1.0, 1.0, message_time);
    double least = 1e300;
    for (uint64_t steps = 12; steps < 5000; ++steps)
      least =
          std::min(least, static_cast<double>(steps) + std::max(1.0, bound.in_steps(steps)) * message_time);
    EXPECT_LE(found.time, least * (1 + 1e-12));
    EXPECT_GE(found.time, least * 0.99);
  }
}

TEST(RoundsOverHops, SaysNothingWhereAWormGoesAllTheWayInAStep) {
  Model worms = kMany;
  worms.packets = Packets::kOne;
  worms.switching = Switching::kWormhole;
  EXPECT_DOUBLE_EQ(of("line(9)", CollectiveKind::kBroadcast, worms).in_steps(3), 0.0);
  EXPECT_DOUBLE_EQ(of("line(9)", CollectiveKind::kScatter).in_steps(3), 0.0);
}

}  // namespace rounds_over_hops_test
}  // namespace quadrille
