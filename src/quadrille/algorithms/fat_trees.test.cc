// The formulas of chapter 6 of the dissertation, corrected: every one of them is the length of a judged
// schedule.
#include <gtest/gtest.h>

#include <cmath>

#include "quadrille/algorithms/catalog.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/queries/fat_tree.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

Model one_send() {
  Model model;
  model.send = kOnePort;
  return model;
}

std::string uniform(uint32_t k, uint32_t h, std::string_view capacities = "constant") {
  return fmt::format("fat_tree({}^{};{})", k, h, capacities);
}

uint64_t power(uint64_t k, uint32_t h) {
  uint64_t out = 1;
  while (h-- > 0) out *= k;
  return out;
}

// The steps of the card's plan, which the judge must pass and no bound may exceed, and which must be what the
// card claims.
uint64_t judged_steps(const Algorithm& card, const std::string& spec, const Model& model = {}) {
  const Topology topology = parse_topology(spec);
  const Problem problem = standard_problem(topology, card.collective, model);
  const Applicability fits = card.applies(problem);
  EXPECT_TRUE(fits.applies) << fits.reason;
  if (!fits.applies) return 0;
  Judge judge(problem);
  card.generate(problem, judge);
  const Verdict verdict = judge.finish();
  EXPECT_TRUE(verdict.passed()) << card.name << " on " << spec << ": " << to_text(verdict.findings.front());
  const Claim claim = card.claimed(problem);
  if (claim.steps) {
    EXPECT_EQ(*claim.steps, verdict.figures.steps) << card.name << " on " << spec;
  }
  EXPECT_LE(best_bound(problem).value.ceil(), static_cast<int64_t>(verdict.figures.steps)) << spec;
  return verdict.figures.steps;
}

struct Size {
  uint32_t k;
  uint32_t h;
};
const std::vector<Size> kSizes = {{2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {3, 1}, {3, 2}, {3, 3},
                                  {3, 4}, {4, 1}, {4, 2}, {4, 3}, {5, 1}, {5, 2}, {6, 1}, {6, 2}};

TEST(FatTrees, BroadcastTakesKPlusOneTimesHMinusOneStepsWithOnePort) {
  for (const auto& [k, h] : kSizes) {
    EXPECT_EQ(judged_steps(algorithms::broadcast_fat_tree, uniform(k, h), one_send()), (k + 1) * h - 1);
    EXPECT_EQ(judged_steps(algorithms::broadcast_fat_tree, uniform(k, h)), 2 * h);
  }
}

TEST(FatTrees, ScatterAndGatherTakeNSteps) {
  for (const auto& [k, h] : kSizes) {
    const uint64_t steps = power(k, h) + (k == 2 && h >= 2 ? 1 : 0);
    EXPECT_EQ(judged_steps(algorithms::gather_fat_tree, uniform(k, h), one_send()), steps);
    EXPECT_EQ(judged_steps(algorithms::gather_fat_tree, uniform(k, h)), steps);
    EXPECT_EQ(judged_steps(algorithms::scatter_fat_tree, uniform(k, h)), steps);
    EXPECT_EQ(judged_steps(algorithms::scatter_furthest_first, uniform(k, h), one_send()), steps);
  }
}

TEST(FatTrees, AllgatherWithOnePortIsFixedByTheRoutersBelowTheRoot) {
  for (const auto& [k, h] : kSizes) {
    const uint64_t steps = h == 1 ? k * (k - 1) + 1 : k * power(k, h) + (k + 1) * (h - 2) + 1;
    EXPECT_EQ(judged_steps(algorithms::allgather_fat_tree_queues, uniform(k, h), one_send()), steps);
  }
}

TEST(FatTrees, AlltoallWithOnePortIsFixedByTheBusiestRouter) {
  for (const auto& [k, h] : kSizes) {
    const uint64_t n = power(k, h);
    const uint64_t below_root = h == 1 ? 0 : n * n * (2 * k + 1) * (k - 1) / (k * k * k) + 2 * h - 3;
    const uint64_t at_root = n * n * (k - 1) / k + 2 * h - 1;
    EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queues, uniform(k, h), one_send()),
              std::max(below_root, at_root));
  }
}

TEST(FatTrees, FloodingTakesNSteps) {
  for (const auto& [k, h] : kSizes) {
    EXPECT_EQ(judged_steps(algorithms::allgather_flooding, uniform(k, h)),
              power(k, h) + (k == 2 && h >= 2 ? 1 : 0));
  }
}

TEST(FatTrees, AllgatherWithoutQueuesTakes2HMinus2StepsMore) {
  for (const auto& [k, h] : kSizes) {
    EXPECT_EQ(judged_steps(algorithms::allgather_fat_tree_queue_free, uniform(k, h)),
              power(k, h) + 2 * h - 2);
  }
}

TEST(FatTrees, OneBufferForEachBranchIsEnoughForNStepsWithThreeOrMoreChildren) {
  for (const auto& [k, h] : kSizes) {
    if (k > 2) {
      EXPECT_EQ(judged_steps(algorithms::allgather_fat_tree_one_buffer, uniform(k, h)), power(k, h));
    }
  }
  const std::vector<uint64_t> binary = {2, 5, 10, 19, 37, 69};
  for (uint32_t h = 1; h <= 6; ++h) {
    EXPECT_EQ(judged_steps(algorithms::allgather_fat_tree_one_buffer, uniform(2, h)), binary[h - 1]);
  }
}

TEST(FatTrees, AlltoallWithoutQueuesMeetsItsFormulaForConstantAndExponentialCapacities) {
  for (const auto& [k, h] : kSizes) {
    const uint64_t n = power(k, h);
    EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, uniform(k, h)),
              (n * n - 1) / (k + 1) + 2 * h - 1);
    EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, uniform(k, h, "exponential")),
              n + 2 * h - 2);
  }
}

TEST(FatTrees, AlltoallWithoutQueuesIsExactWhereWindowsDoNotDivide) {
  EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, "fat_tree(2^3;1,2,3)"), 14U);
  EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, "fat_tree(2^4;1,2,3,4)"), 32U);
  EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, "fat_tree(3^3;1,2,5)"), 49U);
  // Printed, equation 6.5 says 5: it needs c_2 <= k c_1.
  EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_queue_free, "fat_tree(2^2;1,4)"), 6U);
}

TEST(FatTrees, EarliestFitMeetsTheBoundWithUnitCapacities) {
  for (const auto& [k, h] : kSizes) {
    if (power(k, h) > 64) continue;
    const uint64_t n = power(k, h);
    EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_earliest_fit, uniform(k, h)),
              n * n / k * (k - 1) / k + 2 * h - 1);
  }
}

TEST(FatTrees, EarliestFitComesCloseToTheBoundWithOtherCapacities) {
  const auto steps = [](const std::string& spec) {
    return judged_steps(algorithms::alltoall_fat_tree_earliest_fit, spec);
  };
  EXPECT_EQ(steps("fat_tree(2^3;1,2,3)"), 12U);
  EXPECT_EQ(steps("fat_tree(2^4;1,2,3,4)"), 23U);
  EXPECT_EQ(steps("fat_tree(2^4;1,2,4,6)"), 22U);
  EXPECT_EQ(steps("fat_tree(3^3;1,2,5)"), 43U);
}

TEST(FatTrees, ShiftsAreOptimalWithExponentialCapacities) {
  for (const auto& [k, h] : kSizes) {
    const uint64_t steps = power(k, h) + 2 * h - (k == 2 && h >= 3 ? 3 : 2);
    EXPECT_EQ(judged_steps(algorithms::alltoall_fat_tree_shifts, uniform(k, h, "exponential")), steps);
  }
}

}  // namespace
}  // namespace quadrille
