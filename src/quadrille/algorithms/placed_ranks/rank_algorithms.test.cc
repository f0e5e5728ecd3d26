// Known figures of the algorithms that are written for ranks: where nobody is in anybody's way they take what their
// authors say, and elsewhere what was found once.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace rank_algorithms_test {

using Figures = std::pair<uint64_t, uint64_t>;

Problem worms(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces,
              NodeId root = kNoNode) {
  Model model = ports(count);
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology(spec), kind, model, root, pieces);
}

// Start-ups and critical blocks of what the judge has passed.
Figures judged(std::string_view name, std::string_view spec, uint32_t count, uint32_t pieces,
               std::string_view member = {}) {
  const Algorithm& card = *algorithm_catalog().find(name);
  const Problem problem = worms(spec, card.collective, count, pieces);
  const Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) {
    ADD_FAILURE() << ready.fits.reason;
    return {0, 0};
  }
  const PreparedPlan plan = member.empty() ? cheapest(ready.plans) : ready.find(member);
  Judge judge(problem);
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << name << " on " << spec << ": " << to_text(verdict.findings.front());
  return {verdict.figures.start_ups, verdict.figures.critical_blocks};
}

uint64_t ceil_log2(uint32_t p) { return static_cast<uint64_t>(std::bit_width(p - 1)); }

std::string complete(uint32_t p) { return "complete(" + std::to_string(p) + ")"; }

TEST(RankAlgorithms, OfOnePortTakeTheLogarithmOfAnyNumberOfRanks) {
  for (const uint32_t p : {2U, 3U, 5U, 6U, 7U, 8U, 11U, 16U, 23U, 33U}) {
    const uint64_t rounds = ceil_log2(p);
    EXPECT_EQ(judged("broadcast_binomial", complete(p), 1, 1), Figures(rounds, rounds)) << p;
    EXPECT_EQ(judged("reduce_binomial", complete(p), 1, 1), Figures(rounds, rounds)) << p;
    EXPECT_EQ(judged("scatter_binomial", complete(p), 1, 1).first, rounds) << p;
    EXPECT_EQ(judged("gather_binomial", complete(p), 1, 1).first, rounds) << p;
    for (const std::string_view how : {"bruck", "circulant", "pat"}) {
      EXPECT_EQ(judged("allgather_" + std::string(how), complete(p), 1, 1), Figures(rounds, p - 1))
          << p << how;
      EXPECT_EQ(judged("reduce_scatter_" + std::string(how), complete(p), 1, 1), Figures(rounds, p - 1)) << p;
      EXPECT_EQ(judged("allreduce_" + std::string(how), complete(p), 1, p), Figures(2 * rounds, 2 * (p - 1)))
          << p;
    }
  }
}

TEST(RankAlgorithms, OfMorePortsTakeALargerLogarithm) {
  EXPECT_EQ(judged("broadcast_knomial", complete(27), 2, 1), Figures(3, 3));
  EXPECT_EQ(judged("reduce_knomial", complete(28), 2, 1).first, 4U);
  EXPECT_EQ(judged("scatter_knomial", complete(27), 2, 1), Figures(3, 13));
  EXPECT_EQ(judged("gather_knomial", complete(64), 3, 1), Figures(3, 21));
  EXPECT_EQ(judged("allgather_bruck", complete(27), 2, 1), Figures(3, 13));
  EXPECT_EQ(judged("allgather_trivance", complete(81), 2, 1), Figures(4, 40));
  EXPECT_EQ(judged("allreduce_trivance", complete(9), 2, 9), Figures(4, 8));
}

TEST(BroadcastCirculant, TakesOneRoundAChunkAndTheLogarithm) {
  for (const uint32_t p : {2U, 3U, 5U, 6U, 7U, 9U, 11U, 12U, 16U, 17U, 20U, 29U, 40U}) {
    for (const uint32_t chunks : {1U, 2U, 3U, 5U, 8U, 13U}) {
      const uint64_t rounds = chunks - 1 + ceil_log2(p);
      EXPECT_EQ(judged("broadcast_circulant", complete(p), 1, chunks), Figures(rounds, rounds))
          << p << " " << chunks;
      EXPECT_EQ(judged("reduce_circulant", complete(p), 1, chunks), Figures(rounds, rounds))
          << p << " " << chunks;
    }
  }
  EXPECT_EQ(judged("broadcast_circulant", "complete(16)", 1, 8), Figures(11, 11));
}

TEST(AllreduceHalving, SavesARoundWithEveryMergedLevel) {
  EXPECT_EQ(judged("allreduce_rabenseifner", "complete(64)", 1, 64), Figures(12, 126));
  EXPECT_EQ(judged("allreduce_halving", "complete(64)", 1, 64, "merged-1"), Figures(11, 126));
  EXPECT_EQ(judged("allreduce_halving", "complete(64)", 1, 64, "merged-2"), Figures(10, 128));
  EXPECT_EQ(judged("allreduce_halving", "complete(64)", 1, 64, "merged-3"), Figures(9, 136));
  EXPECT_EQ(judged("allreduce_halving", "complete(64)", 1, 64, "merged-6"), Figures(6, 384));
  EXPECT_EQ(judged("allreduce_recursive_doubling", "complete(64)", 1, 64), Figures(6, 384));
  EXPECT_EQ(judged("allreduce_recursive_doubling", "complete(11)", 1, 1), Figures(5, 5))
      << "8 ranks, and 3 folded in";
  EXPECT_EQ(judged("allreduce_circulant", "complete(24)", 1, 24), Figures(10, 46));
}

TEST(RankAlgorithms, AreAtHomeOnATreeOfFullBisection) {
  EXPECT_EQ(judged("allreduce_halving", "fat_tree(2^4;exponential)", 1, 16, "merged-1"), Figures(7, 30));
  EXPECT_EQ(judged("allreduce_circulant", "fat_tree(2^4;exponential)", 1, 16), Figures(8, 30));
}

TEST(Swing, IsAsGoodAsItSaysOnSmallTori) {
  EXPECT_EQ(judged("allreduce_swing", "torus(4,4)", 1, 16), Figures(7, 30)) << "with a merged middle";
  EXPECT_EQ(judged("allreduce_swing_latency", "torus(4,4)", 1, 1), Figures(4, 4));
  EXPECT_EQ(judged("allreduce_swing", "hypercube(4)", 0, 64), Figures(7, 30));
}

TEST(Bucket, GoesAroundEveryDimension) {
  EXPECT_EQ(judged("allreduce_bucket", "torus(8,8)", 0, 256), Figures(28, 126));
  EXPECT_EQ(judged("allgather_bucket", "torus(3,5)", 1, 1), Figures(6, 14));
}

TEST(RankAlgorithms, StartAtAnyRoot) {
  for (const std::string_view spec : {"torus(4,4)", "mesh(3,4)", "fat_tree(2^3;constant)"}) {
    for (const std::string_view name : {"broadcast_binomial", "scatter_binomial", "reduce_circulant"}) {
      const Algorithm& card = *algorithm_catalog().find(name);
      const Topology topology = parse_topology(spec);
      EXPECT_GT(judged_steps(card, worms(spec, card.collective, 1, 3, topology.endpoints()[5])), 0U);
    }
  }
}

// A round of exchanges that does not fit in a step: the second of two messages brings the sum back.
TEST(RankAlgorithms, ExchangeInTwoStepsWhereOneHasNoRoom) {
  Model model = ports(1);
  model.switching = Switching::kWormhole;
  model.duplex = Duplex::kHalf;
  const Problem problem = standard_problem(parse_topology("ring(8)"), CollectiveKind::kAllreduce, model);
  EXPECT_GE(judged_steps(*algorithm_catalog().find("allreduce_recursive_doubling"), problem), 6U);
}

TEST(RankAlgorithms, ServePacketsBetweenNeighbours) {
  const auto steps = [](std::string_view name, std::string_view spec, uint32_t pieces) {
    const Algorithm& card = *algorithm_catalog().find(name);
    return judged_steps(card,
                        standard_problem(parse_topology(spec), card.collective, ports(1), kNoNode, pieces));
  };
  EXPECT_EQ(steps("allreduce_recursive_doubling", "complete(16)", 1), 4U);
  EXPECT_EQ(steps("allreduce_recursive_doubling", "torus(4,4)", 1), 4U) << "by Gray codes";
  EXPECT_EQ(steps("allgather_recursive_doubling", "hypercube(3)", 3), 21U) << "every message block by block";
  EXPECT_EQ(steps("reduce_circulant", "complete(13)", 5), 8U);
}

// Of more than 128 nodes a ring is looked for where that of one way needs it as well.
TEST(RankAlgorithms, GoRoundBothWaysOnLargeNetworks) {
  for (const std::string_view spec : {"random_regular(144,3;4)", "mesh(11,12)", "random_regular(131,4;1)"}) {
    for (const std::string_view name : {"allgather_two_way_ring", "reduce_scatter_two_way_ring"}) {
      const Algorithm& card = *algorithm_catalog().find(name);
      const Problem problem = standard_problem(parse_topology(spec), card.collective, ports(2));
      EXPECT_EQ(judged_steps(card, problem), problem.collective().num_ranks() / 2) << name << " on " << spec;
    }
  }
}

TEST(RankAlgorithms, ShareLinksEvenly) {
  const auto rounds = [](std::string_view name, std::string_view spec, uint32_t count, uint32_t pieces) {
    const Algorithm& card = *algorithm_catalog().find(name);
    Model model = ports(count);
    model.switching = Switching::kShared;
    const Problem problem = standard_problem(parse_topology(spec), card.collective, model, kNoNode, pieces);
    const uint64_t steps = judged_steps(card, problem);
    return Figures(steps, *card.plan_for(problem)->prediction().critical_blocks);
  };
  EXPECT_EQ(rounds("allreduce_swing", "torus(4,4)", 0, 64), Figures(7, 30)) << "R = .4688";
  EXPECT_EQ(rounds("allreduce_swing", "torus(8,8)", 0, 256), Figures(11, 138)) << "R = .5391";
  EXPECT_EQ(rounds("allreduce_swing_latency", "torus(8,8)", 0, 4), Figures(6, 10)) << "R = 2.5";
  EXPECT_EQ(rounds("allreduce_rabenseifner", "torus(4,4)", 1, 16).first, 8U);
}

// As many messages a round as two rounds need, where paths share links: in groups where they fill the ranks, on xgft(4,4;1,4) the leaves.
TEST(RankAlgorithms, ReachEverybodyInTwoRoundsOfManyMessages) {
  const auto figures = [](std::string_view name, std::string_view spec, std::string_view member,
                          uint32_t pieces) {
    const Algorithm& card = *algorithm_catalog().find(name);
    Model model = ports(0);
    model.switching = Switching::kShared;
    const Problem problem = standard_problem(parse_topology(spec), card.collective, model, kNoNode, pieces);
    Judge judge(problem);
    prepare(card, problem).find(member)->generate(judge);
    const Verdict verdict = judge.finish();
    EXPECT_TRUE(verdict.passed()) << name << " on " << spec << ": " << to_text(verdict.findings.front());
    return Figures(verdict.figures.start_ups, verdict.figures.critical_blocks);
  };
  constexpr std::string_view kTree = "xgft(4,4;1,4)";
  EXPECT_EQ(figures("broadcast_knomial", kTree, "3-messages", 1), Figures(2, 6));
  EXPECT_EQ(figures("reduce_knomial", kTree, "3-messages", 1), Figures(2, 6));
  EXPECT_EQ(figures("allgather_bruck", kTree, "3-messages", 1), Figures(2, 15))
      << "no more than comes to a rank";
  EXPECT_EQ(figures("reduce_scatter_bruck", kTree, "3-messages", 1), Figures(2, 15));
  EXPECT_EQ(figures("allreduce_bruck", kTree, "3-messages", 16), Figures(4, 30));
  EXPECT_EQ(figures("broadcast_van_de_geijn", kTree, "3-messages", 16), Figures(3, 30));
  EXPECT_EQ(figures("alltoall_bruck", kTree, "3-messages", 1), Figures(2, 24));
  // Groups of four do not fill fifteen ranks: Bruck's.
  EXPECT_EQ(figures("allgather_bruck", "star(4)", "4-messages", 1).first, 2U);
}

TEST(RankAlgorithms, SayWhyTheyDoNotApply) {
  const Algorithm& swing = *algorithm_catalog().find("allreduce_swing");
  EXPECT_NE(swing.applies(worms("ring(6)", CollectiveKind::kAllreduce, 1, 1)).reason.find("power of two"),
            std::string::npos);
}

}  // namespace rank_algorithms_test
}  // namespace quadrille
