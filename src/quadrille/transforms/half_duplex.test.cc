#include "quadrille/transforms/half_duplex.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/compact_steps.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace half_duplex_test {

// Empty when the plan passes, else its first finding.
std::string judged(const Problem& problem, const Plan& plan) {
  const Verdict verdict = verify(problem, plan).verdict;
  return verdict.passed() ? "" : to_text(verdict.findings.front());
}

Problem half_duplex(std::string_view spec, CollectiveKind kind, Switching switching = Switching::kPacket) {
  return standard_problem(parse_topology(spec), kind, {.switching = switching, .duplex = Duplex::kHalf});
}

ArcId arc(const Problem& problem, uint32_t from, uint32_t to) {
  return problem.topology().find_arc(NodeId{from}, NodeId{to}).value();
}

TEST(HalfDuplex, EveryGoodPacketPlanTakesAtMostTwiceItsSteps) {
  Rng rng(7);
  int longer = 0;
  for (uint32_t round = 0; round < 400; ++round) {
    const uint32_t nodes = 2 + static_cast<uint32_t>(rng.below(8));
    const bool routers = rng.below(2) == 0;
    const Topology net = testing::random_topology(rng, nodes, routers);
    const CollectiveKind kind = kCollectiveKinds[rng.below(kCollectiveKinds.size())];
    const Model model{.send = Ports{static_cast<uint32_t>(rng.below(2))},
                      .receive = Ports{static_cast<uint32_t>(rng.below(2))},
                      .switching = rng.below(3) == 0 ? Switching::kWormhole : Switching::kPacket,
                      .duplex = Duplex::kHalf};
    const Problem half = standard_problem(net, kind, model);
    const Problem full = with_full_duplex(half);
    const Plan plan = testing::random_plan(full, rng);
    ASSERT_EQ(judged(full, plan), "");
    const std::optional<Plan> parted = on_half_duplex_links(half, plan);
    ASSERT_TRUE(parted) << half.title() << ", " << describe(model);
    EXPECT_EQ(judged(half, *parted), "") << half.title() << ", " << describe(model);
    EXPECT_EQ(parted->num_transfers(), plan.num_transfers());
    if (model.switching == Switching::kPacket) {
      EXPECT_LE(parted->num_steps(), 2 * plan.num_steps()) << half.title() << ", " << describe(model);
    }
    if (parted->num_steps() > plan.num_steps()) ++longer;
    if (model.switching == Switching::kWormhole || full.collective().flow() == Flow::kCombine) continue;
    Plan streamed;
    OneWayAtATime parting(net, streamed);
    plan.replay(parting);
    EXPECT_EQ(judged(half, streamed), "") << half.title();
    EXPECT_EQ(streamed.num_steps(), 2 * plan.num_steps());
  }
  EXPECT_GT(longer, 50);
}

TEST(HalfDuplex, WhereNothingMeetsNothingIsLonger) {
  const Problem half = half_duplex("line(3)", CollectiveKind::kBroadcast);
  Plan plan;
  StepBuilder step;
  step.add(arc(half, 0, 1), BlockId{0});
  step.flush(plan);
  step.add(arc(half, 1, 2), BlockId{0});
  step.flush(plan);
  EXPECT_TRUE(on_half_duplex_links(half, plan) == plan);
}

// Both send what they had before the step. One after the other, the second sends the sum.
TEST(HalfDuplex, SharedLinksCarryOneDirectionAStep) {
  for (const Switching switching : {Switching::kShared, Switching::kPacket}) {
    const Model model{.switching = switching,
                      .packets = switching == Switching::kPacket ? Packets::kMany : Packets::kOne,
                      .duplex = Duplex::kHalf};
    const Problem half = standard_problem(parse_topology("ring(3)"), CollectiveKind::kAllgather, model);
    Plan plan;
    StepBuilder step;
    for (uint32_t v = 0; v < 3; ++v) {
      for (const uint32_t far : {1U, 2U}) step.add(arc(half, v, (v + far) % 3), BlockId{v});
    }
    step.flush(plan);
    ASSERT_EQ(judged(with_full_duplex(half), plan), "");
    const std::optional<Plan> parted = on_half_duplex_links(half, plan);
    ASSERT_TRUE(parted);
    EXPECT_EQ(judged(half, *parted), "") << describe(model);
    EXPECT_EQ(parted->num_steps(), 2U);
  }
}

TEST(HalfDuplex, OfTwoThatExchangeContributionsTheSecondSendsTheSum) {
  const Problem half = half_duplex("hypercube(3)", CollectiveKind::kAllreduce);
  Plan plan;
  StepBuilder step;
  for (uint32_t bit = 1; bit < 8; bit *= 2) {
    for (uint32_t v = 0; v < 8; ++v) step.add(arc(half, v, v ^ bit), BlockId{0});
    step.flush(plan);
  }
  ASSERT_EQ(judged(with_full_duplex(half), plan), "");
  const std::optional<Plan> parted = on_half_duplex_links(half, plan);
  ASSERT_TRUE(parted);
  EXPECT_EQ(judged(half, *parted), "");
  EXPECT_EQ(parted->num_steps(), 6U);
  // As it is, the exchange stays together: there is nothing to gain.
  const Plan compact = compact_steps(with_full_duplex(half), plan);
  EXPECT_EQ(judged(with_full_duplex(half), compact), "");
  EXPECT_EQ(compact.num_steps(), 3U);
}

TEST(HalfDuplex, ContributionsThatGoRoundAreRefused) {
  const Problem half = half_duplex("ring(3)", CollectiveKind::kReduceScatter);
  Plan plan;
  StepBuilder step;
  for (uint32_t v = 0; v < 3; ++v) step.add(arc(half, v, (v + 1) % 3), BlockId{0});
  step.flush(plan);
  EXPECT_FALSE(on_half_duplex_links(half, plan));
}

TEST(HalfDuplex, AWormThatComesBackOverItsLinkIsRefused) {
  const Problem half = half_duplex("line(3)", CollectiveKind::kAlltoall, Switching::kWormhole);
  Plan plan;
  StepBuilder step;
  const std::vector<ArcId> path = {arc(half, 0, 1), arc(half, 1, 2), arc(half, 2, 1)};
  const std::vector<BlockId> blocks = {half.collective().block(Rank{0}, Rank{1})};
  step.add(path, blocks);
  step.flush(plan);
  EXPECT_FALSE(on_half_duplex_links(half, plan));
}

// Each of three worms meets both others on links of their own: there is no way to part them in two.
TEST(HalfDuplex, WormsThatAllMeetTakeAStepEach) {
  const Problem half = half_duplex("complete(4)", CollectiveKind::kAlltoall, Switching::kWormhole);
  Plan plan;
  StepBuilder step;
  const auto worm = [&](std::vector<uint32_t> nodes) {
    std::vector<ArcId> path;
    for (size_t i = 0; i + 1 < nodes.size(); ++i) path.push_back(arc(half, nodes[i], nodes[i + 1]));
    step.add(path, std::vector<BlockId>{half.collective().block(Rank{nodes.front()}, Rank{nodes.back()})});
  };
  worm({0, 1, 2});
  worm({2, 1, 3, 0});
  worm({0, 3, 1, 0, 2});
  step.flush(plan);
  // The third goes against the first on 0-1, and against the second on 1-3 and 0-3.
  const std::optional<Plan> parted = on_half_duplex_links(half, plan);
  ASSERT_TRUE(parted);
  EXPECT_EQ(parted->num_steps(), 3U);
}

}  // namespace half_duplex_test
}  // namespace quadrille
