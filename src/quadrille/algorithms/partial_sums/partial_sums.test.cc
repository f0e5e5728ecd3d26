// Allreduce in partial sums: how few steps they take, and what they keep apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/partial_sums/free_groups.h"
#include "quadrille/algorithms/partial_sums/least_sums.h"
#include "quadrille/algorithms/partial_sums/sum_plan.h"
#include "quadrille/algorithms/partial_sums/tree_sums.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allreduce_combs;
extern const Algorithm allreduce_factors;
extern const Algorithm allreduce_ring_latency;
extern const Algorithm allreduce_search;
extern const Algorithm allreduce_windows;
}  // namespace algorithms

namespace partial_sums_test {

Problem on(std::string_view spec, uint32_t ports = 0) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model);
}

struct Known {
  std::string_view spec;
  uint32_t ports;
  uint64_t steps;
};

TEST(AllreduceSearch, TakesNoMoreStepsThanDataNeedToGetAround) {
  for (const auto& [spec, ports, steps] :
       {Known{"torus(4,4)", 0, 4}, Known{"torus(3,5)", 0, 3}, Known{"star(4)", 0, 4},
        Known{"generalized_petersen(5,2)", 0, 2}, Known{"cube_connected_cycles(3)", 0, 6},
        Known{"complete(16)", 2, 3}, Known{"circulant(16;1,4)", 2, 3},
        Known{"generalized_petersen(5,2)", 1, 4}, Known{"circulant(16;1,4)", 1, 4}, Known{"mesh(4,4)", 1, 6},
        Known{"hypercube(5)", 1, 5}, Known{"complete(1)", 1, 0}, Known{"line(2)", 1, 1},
        Known{"line(6)", 0, 5}}) {
    EXPECT_EQ(judged_steps(algorithms::allreduce_search, on(spec, ports)), steps)
        << spec << ", ports " << ports;
  }
}

TEST(AllreduceSearch, TakesLessTimeWhereItIsAskedInPassing) {
  for (const auto& [spec, ports] : {std::pair{"mesh(5,7)", 1U}, std::pair{"mesh(5,7)", 0U},
                                    std::pair{"generalized_petersen(20,3)", 1U}}) {
    const Problem problem = on(spec, ports);
    const uint64_t steps = judged_steps(algorithms::allreduce_search, problem);
    const WorthMaking wanted(2 * steps, true);
    EXPECT_GE(judged_steps(algorithms::allreduce_search, problem), steps) << spec << ", ports " << ports;
    const WorthMaking impossible(3);
    EXPECT_FALSE(algorithms::allreduce_search.plan_for(problem)->prediction().steps) << spec;
  }
}

TEST(AllreduceSearch, LooksOnceForAsManyPortsAsThereAreLinks) {
  const auto sums = least_sums(on("star(4)"));
  EXPECT_EQ(least_sums(on("star(4)", 3)), sums);
  EXPECT_NE(least_sums(on("star(4)", 2)), sums);
}

TEST(AllreduceRingLatency, TakesHalfOfTheRing) {
  for (uint32_t n = 3; n <= 17; ++n) {
    EXPECT_EQ(judged_steps(algorithms::allreduce_ring_latency, on("ring(" + std::to_string(n) + ")", 2)),
              n / 2)
        << n;
    if (n % 2 == 0) {
      EXPECT_EQ(judged_steps(algorithms::allreduce_ring_latency, on("ring(" + std::to_string(n) + ")", 1)),
                n / 2)
          << n;
    }
  }
}

TEST(AllreduceFactors, TakesWhatItsFactorsTake) {
  for (const auto& [spec, ports, steps] :
       {Known{"torus(8,8)", 0, 8}, Known{"torus(3,4,5)", 0, 5}, Known{"mesh(3,6)", 0, 7},
        Known{"hypercube(7)", 1, 7}, Known{"torus(4,6)", 1, 5}, Known{"mesh(4,4)", 1, 6},
        Known{"generalized_hypercube(3,4)", 0, 2}, Known{"product(star(3),ring(4))", 1, 5},
        Known{"torus(32,32)", 2, 32}}) {
    EXPECT_EQ(judged_steps(algorithms::allreduce_factors, on(spec, ports)), steps)
        << spec << ", ports " << ports;
  }
}

TEST(AllreduceWindows, TakeTheLogarithmToTheBaseOfPortsAndOne) {
  for (uint32_t p = 2; p <= 40; ++p) {
    for (uint32_t k = 1; k <= std::min(4U, p - 1); ++k) {
      uint64_t rounds = 0;
      for (uint32_t reached = 1; reached < p; reached *= k + 1) ++rounds;
      EXPECT_EQ(judged_steps(algorithms::allreduce_windows, on("complete(" + std::to_string(p) + ")", k)),
                rounds)
          << p << " ranks, " << k << " ports";
    }
  }
}

Figures figures(const Algorithm& card, std::string_view spec, uint32_t pieces) {
  Model model;
  model.packets = Packets::kMany;
  const Problem problem =
      standard_problem(parse_topology(spec), CollectiveKind::kAllreduce, model, kNoNode, pieces);
  const PreparedPlan plan = card.plan_for(problem);
  Judge judge(problem);
  plan->generate(judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title();
  EXPECT_EQ(verdict.figures.critical_blocks, plan->prediction().critical_blocks) << problem.title();
  EXPECT_EQ(verdict.figures.steps, plan->prediction().steps) << problem.title();
  return verdict.figures;
}

TEST(AllreduceCombs, KeepEveryLinkBusy) {
  const Figures large = figures(algorithms::allreduce_combs, "mesh(8,8)", 256);
  EXPECT_EQ(large.steps, 37U);
  EXPECT_EQ(large.critical_blocks, 255U);
  for (const std::string_view spec :
       {"mesh(3,3)", "mesh(2,2)", "mesh(3,5)", "mesh(6,4)", "torus(4,4)", "mesh(2,7)"}) {
    for (const uint32_t pieces : {1U, 5U, 16U, 48U}) figures(algorithms::allreduce_combs, spec, pieces);
  }
}

uint32_t tree_steps(const Problem& problem) {
  const SumPlan plan = narrow_tree_sums(problem);
  const auto slots = slots_of(problem.topology(), plan);
  EXPECT_TRUE(slots.has_value());
  Judge judge(problem);
  push_sums(problem, plan, *slots, judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << problem.title();
  return plan.steps();
}

TEST(TreeSums, TakeTheWidthOfTheTree) {
  EXPECT_EQ(tree_steps(on("line(6)")), 5U);
  EXPECT_EQ(tree_steps(on("line(7)")), 6U);
  EXPECT_EQ(tree_steps(on("line(7)", 1)), 7U);
  EXPECT_EQ(tree_steps(on("complete(40)")), 2U);
  EXPECT_EQ(tree_steps(on("fat_tree(2^3;constant)")), 6U);
  EXPECT_EQ(tree_steps(on("hypercube(4)")), 7U);
}

// Two hosts on each of four switches in a ring: two steps in, two around, two out.
TEST(AllreduceSearch, PlansHostsOnSwitchesAsSwitches) {
  TopologyBuilder builder("hosts", 12);
  for (uint32_t i = 0; i < 4; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 1) % 4});
    builder.link(NodeId{i}, NodeId{4 + 2 * i});
    builder.link(NodeId{i}, NodeId{5 + 2 * i});
  }
  builder.endpoints(
      {NodeId{4}, NodeId{5}, NodeId{6}, NodeId{7}, NodeId{8}, NodeId{9}, NodeId{10}, NodeId{11}});
  const Topology net = builder.build();
  const auto steps = [&net](uint32_t ports) {
    Model model;
    model.send = model.receive = Ports{ports};
    return judged_steps(algorithms::allreduce_search,
                        standard_problem(net, CollectiveKind::kAllreduce, model));
  };
  EXPECT_EQ(steps(0), 4U);
  EXPECT_EQ(steps(2), 4U);
  EXPECT_EQ(steps(1), 6U);
}

// What is sent apart is kept apart, and what is not sent any more is added up.
TEST(SumPlan, UsesASlotOnlyForWhatGoesItsOwnWay) {
  const Topology net = parse_topology("line(3)");
  SumPlan plan(2);
  const uint32_t left = plan.send(1, *net.find_arc(NodeId{0}, NodeId{1}), std::array{SumPlan::kOwn});
  const uint32_t right = plan.send(1, *net.find_arc(NodeId{2}, NodeId{1}), std::array{SumPlan::kOwn});
  plan.send(2, *net.find_arc(NodeId{1}, NodeId{2}), std::array{SumPlan::kOwn, left});
  plan.send(2, *net.find_arc(NodeId{1}, NodeId{0}), std::array{SumPlan::kOwn, right});
  const auto slots = slots_of(net, plan);
  ASSERT_TRUE(slots.has_value());
  EXPECT_EQ((*slots)[0], (SumSlots{SumSlots::kAll, 1}));
  EXPECT_EQ((*slots)[1], (SumSlots{SumSlots::kAll, 2}));
  EXPECT_EQ((*slots)[2], (SumSlots{0b011, 0}));
  EXPECT_EQ((*slots)[3], (SumSlots{0b101, 0}));
}

TEST(FreeGroups, AreSearchedForOnce) {
  const Topology net = parse_topology("generalized_petersen(5,2)");
  EXPECT_EQ(free_groups(net), free_groups(parse_topology("generalized_petersen(5,2)")));
  EXPECT_NE(free_groups(net), free_groups(parse_topology("line(3)")));
}

TEST(FreeGroups, AreFoundByTheGroupOrByASearch) {
  EXPECT_EQ((*free_groups(parse_topology("torus(3,5)"))).front().order(), 15U);
  EXPECT_EQ((*free_groups(parse_topology("generalized_petersen(5,2)"))).front().order(), 5U);
  EXPECT_EQ((*free_groups(parse_topology("line(3)"))).size(), 1U);
  const auto of_a_cube = free_groups(parse_topology("hypercube(3)"));
  for (const FreeGroup& group : *of_a_cube) {
    for (size_t e = 1; e < group.order(); ++e) {
      for (size_t v = 0; v < 8; ++v) EXPECT_NE(index(group.images[e][v]), v);
    }
  }
}

}  // namespace partial_sums_test
}  // namespace quadrille
