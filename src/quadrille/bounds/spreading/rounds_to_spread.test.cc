// Rounds to spread: the fewest messages over a link or port with which so many steps can bring a message to all.
#include "quadrille/bounds/spreading/rounds_to_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace rounds_to_spread_test {

RoundsToSpread of(std::string_view spec, Model model, bool backwards = false, Rank origin = Rank{0}) {
  const Topology net = parse_topology(spec);
  const CollectiveKind kind = backwards ? CollectiveKind::kReduce : CollectiveKind::kBroadcast;
  return {standard_problem(net, kind, model), net.endpoint(origin), backwards, 0};
}

double rounds(const RoundsToSpread& least, uint64_t steps) { return least.in_steps(steps, 1, 0).front(); }

constexpr Model worms(Ports ports) {
  return {.send = ports, .receive = ports, .switching = Switching::kWormhole};
}

// What the four conditions let n nodes of p ports know, if steps have these rounds.
struct Relaxed {
  double nodes;
  double ports;

  [[nodiscard]] size_t steps_of_one() const {
    size_t steps = 0;
    for (double reached = 1; reached < nodes; reached *= ports + 1) ++steps;
    return steps;
  }
  [[nodiscard]] bool reaches_all(const std::vector<double>& rounds) const {
    double known = 0;
    double left = 0;
    double knowing = 1;
    for (size_t j = 0; j < rounds.size(); ++j) {
      const double senders = std::min(knowing, nodes - 1);  // whom all others hear
      known = std::min(known + senders * ports * rounds[j], (ports + 1) * known + ports * rounds[j]);
      if (j + steps_of_one() <= rounds.size()) left += ports * rounds[j];
      knowing *= ports + 1;
    }
    return known >= nodes - 1 && left >= 1;
  }
};

// The program solved from the other side: by steps that do, each made less while they still do.
double fewest_found(const Relaxed& relaxed, size_t steps, std::mt19937& random) {
  std::vector<double> best(steps, 1.0);
  const auto sum = [](const std::vector<double>& of) { return std::accumulate(of.begin(), of.end(), 0.0); };
  for (int trial = 0; trial < 60'000; ++trial) {
    std::vector<double> now = best;
    const double scale = std::pow(0.5, static_cast<double>(random() % 14));
    for (double& rounds : now) {
      if (random() % 3 == 0) continue;
      rounds = std::max(0.0, rounds + scale * (static_cast<double>(random() % 2001) / 1000 - 1.05));
    }
    if (sum(now) < sum(best) && relaxed.reaches_all(now)) best = now;
  }
  return sum(best);
}

TEST(RoundsToSpread, IsTheLeastThatTheConditionsAllow) {
  std::mt19937 random(7);
  for (const uint32_t ports : {1U, 2U, 5U}) {
    for (const uint32_t nodes : {2U, 6U, 16U, 40U}) {
      const RoundsToSpread least =
          of("complete(" + std::to_string(nodes) + ")", worms(Ports{std::min(ports, nodes - 1)}));
      const Relaxed relaxed{static_cast<double>(nodes), static_cast<double>(std::min(ports, nodes - 1))};
      ASSERT_EQ(least.steps_of_one(), relaxed.steps_of_one());
      for (size_t more = 0; more < 5; ++more) {
        const size_t steps = relaxed.steps_of_one() + more;
        const double found = fewest_found(relaxed, steps, random);
        EXPECT_LE(rounds(least, steps), found * (1 + 1e-9))
            << nodes << " nodes, " << ports << " ports, " << steps;
        if (more > 2) continue;  // the slow way comes less near
        EXPECT_GE(rounds(least, steps), found * 0.97) << nodes << " nodes, " << ports << " ports, " << steps;
      }
    }
  }
}

// With one port C pieces take L + C - 1 steps of a C-th of a message each, and for few of them that is next to the least; many
// would be small in the first steps and in the last.
TEST(RoundsToSpread, FewPiecesThatFollowEachOtherAreNextToIt) {
  const RoundsToSpread least = of("complete(16)", worms(kOnePort));
  EXPECT_NEAR(rounds(least, 4), 4.0, 1e-9) << "as a whole";
  for (const uint64_t pieces : {2U, 3U, 4U}) {
    const uint64_t steps = 4 + pieces - 1;
    const double taken = static_cast<double>(steps) / static_cast<double>(pieces);
    EXPECT_LE(rounds(least, steps), taken);
    EXPECT_GE(rounds(least, steps), 0.9 * taken);
  }
}

TEST(RoundsToSpread, MoreStepsNeedNoMore) {
  for (const char* const spec : {"torus(4,4)", "hypercube(5)", "fat_tree(2,3)", "star(4)", "line(7)"}) {
    for (const Model& model : {worms(kOnePort), worms(kAllPorts), Model{.switching = Switching::kShared}}) {
      const RoundsToSpread least = of(spec, model);
      double before = rounds(least, least.steps_of_one());
      for (uint64_t steps = least.steps_of_one() + 1; steps < 30; ++steps) {
        const double now = rounds(least, steps);
        EXPECT_LE(now, before * (1 + 1e-6)) << spec << ", " << steps << " steps";
        EXPECT_GT(now, 0.0);
        before = now;
      }
    }
  }
}

// Where few links lead into the root and many out of it, it is a sum that takes long.
TEST(RoundsToSpread, SumsAreTheSameBackwards) {
  const RoundsToSpread there = of("torus(3,5)", worms(kAllPorts));
  const RoundsToSpread back = of("torus(3,5)", worms(kAllPorts), true);
  for (const uint64_t steps : {2U, 3U, 7U}) EXPECT_DOUBLE_EQ(rounds(there, steps), rounds(back, steps));
  Model unlike = worms(kAllPorts);
  unlike.receive = kOnePort;
  EXPECT_GT(rounds(of("torus(3,5)", unlike, true), 6), 1.9 * rounds(there, 6));
}

TEST(RoundsToSpread, ManyNumbersOfStepsAreTheSameOneByOne) {
  const RoundsToSpread least = of("torus(8,8)", worms(kAllPorts));
  const std::vector<double> all = least.in_steps(3, 64, 0.25);
  ASSERT_GT(all.size(), 10U);
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_NEAR(all[i], std::max(0.25, rounds(least, 3 + i)), 1e-9) << i;
}

// Prices that grow a hundred steps long are still numbers.
TEST(RoundsToSpread, ManyStepsAreNoTrouble) {
  const RoundsToSpread least = of("ring(300)", {.packets = Packets::kMany});
  EXPECT_NEAR(rounds(least, 250), 0.5, 0.01) << "both links of a node, all the time";
}

TEST(RoundsToSpread, OneRankNeedsNothing) { EXPECT_EQ(rounds(of("line(1)", worms(kOnePort)), 3), 0.0); }

}  // namespace rounds_to_spread_test
}  // namespace quadrille
