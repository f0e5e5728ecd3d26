#include "quadrille/compile/sizes/size_reasons.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/sizes/size_ranking.h"
#include "quadrille/model/machine.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace size_reasons_test {

Problem on(std::string_view spec, CollectiveKind kind, Model model = {}) {
  model.cost = default_machine().cost;
  return standard_problem(parse_topology(spec), kind, model);
}

std::string best_at(const Problem& problem, uint64_t bytes) {
  const std::array sizes = {bytes};
  const SizeSweep sweep = sweep_sizes(problem, sizes, 1);
  return sweep.plans[sweep.rows.front().best].algorithm;
}

double least_time_at(const Problem& problem, uint64_t bytes) {
  const std::array sizes = {bytes};
  return sweep_sizes(problem, sizes, 1).rows.front().time;
}

// Those that libraries have, too, of which only their plans say what they take over shared links.
TEST(SizeReasons, AllAlgorithmsOfALargerNetworkAreCompared) {
  const Problem problem = on("torus(2,66)", CollectiveKind::kAllreduce, {.switching = Switching::kShared});
  const SizeComparison found = compare_at(problem, 64 << 10, 2);
  for (const char* const name : {"allreduce_ring", "allreduce_rabenseifner", "allreduce_pat"}) {
    EXPECT_TRUE(std::ranges::any_of(found.plans, [&](const SizedPlan& plan) {
      return family_of(plan) == name;
    })) << name;
  }
  for (const std::string& name : found.not_asked) {
    EXPECT_TRUE(std::ranges::none_of(found.plans, [&](const SizedPlan& plan) {
      return family_of(plan) == name;
    })) << name;
  }
}

// Another one may take as long: chunks are whole bytes.
TEST(SizeReasons, TheRangeOfTheBestEndsWhereAnotherIsFaster) {
  const Problem problem = on("torus(3,3)", CollectiveKind::kAllreduce, {.switching = Switching::kShared});
  const SizeReasons why = why_at(problem, 64 << 10, 1);
  EXPECT_EQ(why.best.plan.algorithm, best_at(problem, 64 << 10));
  ASSERT_GT(why.from, 1U);
  const auto time_at = [&](uint64_t bytes) { return why.best.plan.time(problem.model().cost, bytes); };
  EXPECT_DOUBLE_EQ(least_time_at(problem, why.from), time_at(why.from));
  EXPECT_LT(least_time_at(problem, why.from - 1), time_at(why.from - 1));
  EXPECT_NE(why.smaller, why.best.plan.algorithm);
  EXPECT_DOUBLE_EQ(why.best.time.total, why.best.time.latency + why.best.time.transfer);
  EXPECT_GE(why.best.time.total, why.bound.time);
}

TEST(SizeReasons, TheNextIsFasterFromWhereItIsSaidToBe) {
  const Problem problem = on("ring(8)", CollectiveKind::kBroadcast);
  for (const uint64_t bytes : {100U, 10'000U, 1'000'000U}) {
    const SizeReasons why = why_at(problem, bytes, 1);
    ASSERT_TRUE(why.next);
    EXPECT_GE(why.next->plan.time.total, why.best.time.total);
    if (why.next->wins_from) {
      EXPECT_GT(*why.next->wins_from, bytes);
    }
    if (why.next->wins_to) {
      EXPECT_LT(*why.next->wins_to, bytes);
    }
  }
}

TEST(SizeReasons, AllAreComparedByRisingTime) {
  const Problem problem = on("mesh(2,3)", CollectiveKind::kBroadcast);
  const SizeComparison found = compare_at(problem, 5000, 2);
  ASSERT_GT(found.plans.size(), 3U);
  double before = found.bound.time;
  for (const SizedPlan& plan : found.plans) {
    if (plan.model_only) continue;
    EXPECT_GE(plan.time(problem.model().cost, 5000), before) << plan.algorithm;
    before = plan.time(problem.model().cost, 5000);
  }
}

// A plan for many packets that needs them nowhere is said to be one of single packets.
std::string as_single_packets(const std::string& name) {
  return name.starts_with("packet(") ? name.substr(7, name.size() - 8) : name;
}

TEST(SizeReasons, ComparisonsSweepsAndReasonsNameThePlanThatIsMade) {
  using enum CollectiveKind;
  std::vector<uint64_t> sizes = {uint64_t{1} << 16U};
  if (Sample::whole()) sizes = {uint64_t{64}, uint64_t{1} << 16U, uint64_t{1} << 26U};
  Sample sample(7);
  for (const CollectiveKind kind : {kBroadcast, kAllgather, kAllreduce}) {
    for (const Model& model :
         {Model{}, Model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole}}) {
      if (!sample.takes()) continue;
      const Problem asked = on("mesh(2,3)", kind, model);
      const Problem problem = with_packets_of_sizes(asked, true);
      const SizeSweep sweep = sweep_sizes(problem, sizes, 1);
      for (size_t i = 0; i < sizes.size(); ++i) {
        SCOPED_TRACE(::testing::Message() << name_of(kind) << " of " << sizes[i] << " bytes");
        const Compiled made =
            compile(asked, {.bytes = sizes[i], .any_pieces = true, .any_packets = true, .stored = false});
        const std::string& name = made.head.algorithm;
        const auto expect_same = [&](const SizedPlan& plan) {
          EXPECT_TRUE(plan.algorithm == name || as_single_packets(plan.algorithm) == name)
              << plan.algorithm << ", not " << name;
          EXPECT_NEAR(plan.time(problem.model().cost, sizes[i]), made.time->total, 1e-9 * made.time->total);
        };
        expect_same(sweep.plans[sweep.rows[i].best]);
        expect_same(why_at(problem, sizes[i], 1).best.plan);
        const SizeComparison found = compare_at(problem, sizes[i], 1);
        ASSERT_TRUE(found.chosen);
        expect_same(found.plans[*found.chosen]);
      }
    }
  }
}

// Total exchanges of worms, and numbers of pieces that are given: what is chosen is marked, and least.
TEST(SizeReasons, WhatIsChosenIsTheFirstOfAComparison) {
  const Model worms{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
  const Model shared{.switching = Switching::kShared};
  struct Asked {
    Model model;
    uint32_t pieces;
    double rho;
  };
  for (const auto& [model, pieces, rho] :
       {Asked{worms, 0, 0}, {worms, 1, 0}, {worms, 4, 0}, {worms, 0, 1e-4}, {shared, 0, 0}, {shared, 4, 0}}) {
    SCOPED_TRACE(::testing::Message() << describe(model) << ", pieces " << pieces);
    Model priced = model;
    priced.cost = default_machine().cost;
    priced.cost.rho = rho;
    const Problem problem = standard_problem(parse_topology("mesh(3,4)"), CollectiveKind::kAlltoall, priced);
    constexpr uint64_t kBytes = 16384;
    const Problem asked = pieces > 1 ? in_pieces(problem, pieces) : problem;
    const Compiled made = compile(asked, {.bytes = kBytes, .any_pieces = pieces == 0, .stored = false});
    const SizeComparison found =
        compare_at(problem, kBytes, 1, pieces == 0 ? std::nullopt : std::optional(pieces));
    ASSERT_EQ(found.chosen, std::optional<size_t>(0));
    const SizedPlan& chosen = found.plans.front();
    EXPECT_EQ(chosen.algorithm, made.head.algorithm);
    EXPECT_NEAR(chosen.time(problem.model().cost, kBytes), made.time->total, 1e-9 * made.time->total);
  }
}

// Where too many nodes are there to ask everybody, too; some of these plans no card predicts.
TEST(SizeReasonsSlow, ComparisonsAndReasonsOnLargeNetworksKnowThePlanThatIsMade) {
  struct Asked {
    const char* network;
    CollectiveKind kind;
    uint32_t ports;
    uint64_t bytes;
  };
  for (const Asked& asked : {Asked{"random_regular(130,3;1)", CollectiveKind::kAllgather, 1, 64},
                             Asked{"mesh(12,11)", CollectiveKind::kBroadcast, 2, 1U << 20U},
                             Asked{"torus(12,12)", CollectiveKind::kReduceScatter, 0, 1U << 20U}}) {
    SCOPED_TRACE(asked.network);
    const Model model{.send = Ports{asked.ports}, .receive = Ports{asked.ports}};
    const Problem any = on(asked.network, asked.kind, model);
    const Problem problem = with_packets_of_sizes(any, true);
    const Wishes wishes{.bytes = asked.bytes, .any_pieces = true, .any_packets = true, .stored = false};
    const double time = compile(any, wishes).time->total;
    const SizeComparison found = compare_at(problem, asked.bytes, 2);
    EXPECT_NEAR(found.plans.front().time(problem.model().cost, asked.bytes), time, 1e-9 * time);
    if (asked.ports != 0) continue;  // it would be asked for many sizes
    EXPECT_NEAR(why_at(problem, asked.bytes, 2).best.time.total, time, 1e-9 * time);
  }
}

// From the first to the last size for which one algorithm is said to be the best, `auto` finds nothing that takes less
// time, lent or not.
TEST(SizeReasons, NothingThatIsLentIsFasterWhereOneAlgorithmIsSaidToBeTheBest) {
  const Model model{.send = kOnePort, .receive = kOnePort, .switching = Switching::kWormhole};
  for (const CollectiveKind kind : {CollectiveKind::kReduceScatter, CollectiveKind::kScatter}) {
    const Problem problem = on("product(line(2),ring(3))", kind, model);
    const SizeReasons why = why_at(problem, 3000, 1);
    for (const uint64_t bytes : {why.from, (why.from + 3000) / 2, 2 * why.to / 3, why.to}) {
      const SizeReasons there = why_at(problem, bytes, 1);
      EXPECT_EQ(there.best.plan.algorithm, why.best.plan.algorithm) << problem.title() << ", " << bytes;
    }
  }
}

TEST(SizeReasons, OneAlgorithmIsTheBestForEverySizeWhereThereIsNoOther) {
  const SizeReasons why = why_at(on("complete(1)", CollectiveKind::kBroadcast), 1000, 1);
  EXPECT_EQ(why.from, 1U);
  EXPECT_EQ(why.to, kLargestMessage);
  EXPECT_EQ(why.best.time.total, 0.0);
}

}  // namespace size_reasons_test
}  // namespace quadrille
