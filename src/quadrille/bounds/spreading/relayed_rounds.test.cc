#include "quadrille/bounds/spreading/relayed_rounds.h"

#include <gtest/gtest.h>

#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/time_bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace relayed_rounds_test {
namespace {

Problem exchange(const Topology& net, uint32_t count, Switching switching = Switching::kPacket) {
  Model model = ports(count);
  model.switching = switching;
  if (switching == Switching::kPacket) model.packets = Packets::kMany;
  model.cost = {.ts = 1, .tx = 1e-3};
  return standard_problem(net, CollectiveKind::kAlltoall, model);
}

// With one port 2^m ranks need m 2^(m-1) rounds in m start-ups, and N-1 in N-1; between them by hops: 1 of each of 8 steps, 2 of
// 28 pairs, 3 of 27 triples.
TEST(RelayedRounds, CountThePlacesThatAreSoManyHopsAway) {
  const Problem of64 = exchange(parse_topology("complete(64)"), 1);
  const std::vector<double> rounds = relayed_rounds(of64, 6, 63);
  ASSERT_GT(rounds.size(), 8U);
  EXPECT_DOUBLE_EQ(rounds[0], 192);
  EXPECT_DOUBLE_EQ(rounds[2], 8 + 2 * 28 + 3 * 27);
  EXPECT_DOUBLE_EQ(rounds[8], 14 + 2 * 49);
  EXPECT_EQ(rounds.size(), 57U) << "of 6 to 62";
  for (size_t i = 1; i < rounds.size(); ++i) EXPECT_LE(rounds[i], rounds[i - 1]);
  const Problem two = exchange(parse_topology("complete(81)"), 2);
  EXPECT_DOUBLE_EQ(relayed_rounds(two, 4, 40)[0], (8 + 2 * 24 + 3 * 32 + 4 * 16) / 2.0)
      << "digits of radix 3";
}

TEST(RelayedRounds, SayNothingWhereDistancesSayAsMuch) {
  EXPECT_TRUE(relayed_rounds(exchange(parse_topology("torus(8,8)"), 0), 8, 64).empty());
  EXPECT_TRUE(relayed_rounds(exchange(parse_topology("complete(5)"), 0), 1, 1).empty());
  Model single = ports(1);
  EXPECT_TRUE(
      relayed_rounds(standard_problem(parse_topology("complete(8)"), CollectiveKind::kAlltoall, single), 3, 7)
          .empty());
}

// Random plans, whatever their start-ups.
TEST(RelayedRounds, NoPlanHasFewer) {
  Rng rng(5);
  uint32_t told = 0;
  for (int round = 0; round < 150; ++round) {
    const Topology net =
        testing::random_topology(rng, static_cast<uint32_t>(3 + rng.below(5)), round % 3 == 0);
    const Switching switching = round % 2 == 0 ? Switching::kPacket : Switching::kWormhole;
    const Problem problem = exchange(net, static_cast<uint32_t>(round % 3), switching);
    const Verification made = verify(problem, testing::random_plan(problem, rng));
    ASSERT_TRUE(made.schedule);
    const Figures& figures = made.verdict.figures;
    for (const uint64_t bytes : {uint64_t{1}, uint64_t{200}, uint64_t{1000}, uint64_t{100000}}) {
      const TimeBound bound = least_time(problem, bytes, all_bounds(problem));
      told += bound.relayed ? 1 : 0;
      const double time = static_cast<double>(figures.start_ups) +
                          static_cast<double>(figures.critical_blocks * bytes) * 1e-3;
      ASSERT_LE(bound.time, time * (1 + 1e-9)) << problem.title() << ": " << bound.to_text();
    }
  }
  EXPECT_GT(told, 20U);
}

TEST(RelayedRounds, AreSaidOfATime) {
  const Problem problem = exchange(parse_topology("complete(64)"), 1);
  const TimeBound bound = least_time(problem, 100, all_bounds(problem));
  ASSERT_TRUE(bound.relayed);
  EXPECT_EQ(bound.to_text(),
            "7 start-ups, with which a link or port must carry 154 messages (relayed in so few steps)");
  EXPECT_NEAR(bound.time, 7 + 15.4, 1e-9);
}

}  // namespace
}  // namespace relayed_rounds_test
}  // namespace quadrille
