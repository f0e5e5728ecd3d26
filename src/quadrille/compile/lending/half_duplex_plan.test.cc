#include "quadrille/compile/lending/half_duplex_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/half_duplex.h"
#include "quadrille/verify/random_plans.test.h"

namespace quadrille {
namespace half_duplex_plan_test {

Problem half_duplex(std::string_view spec, CollectiveKind kind, uint32_t count = Ports::kAll,
                    uint32_t pieces = 1) {
  Model model = ports(count);
  model.duplex = Duplex::kHalf;
  return standard_problem(parse_topology(spec), kind, model, NodeId{0}, pieces);
}

uint64_t steps_of(const Problem& problem) { return compile(problem).verdict.figures.steps; }

void expect_at_most_twice(std::initializer_list<const char*> networks) {
  for (const char* spec : networks) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const uint32_t count : {1U, Ports::kAll}) {
        for (const uint32_t pieces : {1U, 3U}) {
          const Problem half = half_duplex(spec, kind, count, pieces);
          EXPECT_LE(steps_of(half), 2 * steps_of(with_full_duplex(half)))
              << half.title() << ", " << count << " ports, " << pieces << " pieces";
        }
      }
    }
  }
}

TEST(HalfDuplexPlans, AutoTakesAtMostTwiceTheStepsOfFullDuplex) {
  expect_at_most_twice({"line(2)", "line(5)", "ring(3)", "ring(6)", "mesh(2,3)", "torus(3,4)", "hypercube(3)",
                        "complete(6)", "fat_tree(2^3)"});
}

// What shares a link takes its turn there: that is rounds, too.
TEST(HalfDuplexPlans, OnSharedLinksRoundsAreForetold) {
  Sample sample(3);
  for (const CollectiveKind kind : kCollectiveKinds) {
    for (const char* spec : {"star(3)", "clos(2,2,3)"}) {
      if (!sample.takes()) continue;
      const Problem packets = half_duplex(spec, kind);
      Model model = packets.model();
      model.switching = Switching::kShared;
      const Problem half{packets.topology(), packets.collective(), model};
      const Compiled compiled = compile(half);
      if (const auto predicted = choose_algorithm(half).prediction.critical_blocks) {
        EXPECT_EQ(*predicted, compiled.verdict.figures.critical_blocks) << half.title();
      }
    }
  }
}

// Paths that share links conflict in odd cycles, so parting a plan for full duplex may take three times its steps; but
// what flows both ways over a link cancels, and so gathering and broadcasting take the logarithm each.
void expect_at_most_twice_shared(std::string_view spec, uint32_t count, uint32_t logarithm,
                                 std::span<const CollectiveKind> kinds) {
  for (const CollectiveKind kind : kinds) {
    const Problem packets = half_duplex(spec, kind, count);
    Model model = packets.model();
    model.switching = Switching::kShared;
    const Problem half{packets.topology(), packets.collective(), model};
    const uint64_t steps = steps_of(half);
    EXPECT_LE(steps, 2 * steps_of(with_full_duplex(half))) << half.title();
    if (kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kGather) {
      EXPECT_EQ(steps, logarithm) << half.title();
    }
  }
}

TEST(HalfDuplexPlans, AutoTakesAtMostTwiceTheStepsWherePathsShareLinks) {
  constexpr std::array kThree{CollectiveKind::kBroadcast, CollectiveKind::kGather,
                              CollectiveKind::kAllgather};
  expect_at_most_twice_shared("fat_tree(3^2)", 2, 2, kThree);
  if (Sample::whole()) expect_at_most_twice_shared("line(5)", 1, 3, kCollectiveKinds);
}

TEST(HalfDuplexPlansSlow, AutoTakesAtMostTwiceTheStepsWherePathsShareLinks) {
  expect_at_most_twice_shared("fat_tree(2^3)", 3, 2, kCollectiveKinds);
  expect_at_most_twice_shared("cube_connected_cycles(3)", 2, 3, kCollectiveKinds);
  expect_at_most_twice_shared("mesh(3,3)", Ports::kAll, 1, kCollectiveKinds);
}

TEST(HalfDuplexPlansSlow, AutoTakesAtMostTwiceTheStepsOfFullDuplexOnMoreNetworks) {
  expect_at_most_twice({"line(2)",
                        "line(5)",
                        "ring(3)",
                        "ring(6)",
                        "ring(7)",
                        "mesh(2,3)",
                        "mesh(5,7)",
                        "torus(3,4)",
                        "torus(4,4)",
                        "torus(4,5)",
                        "torus(6,6)",
                        "torus(3,3,3)",
                        "hypercube(3)",
                        "hypercube(5)",
                        "complete(6)",
                        "generalized_hypercube(4,5)",
                        "extended_ring(9,2)",
                        "star(4)",
                        "fat_tree(2^3)",
                        "fat_tree(3^2)",
                        "tree(2^3)",
                        "generalized_petersen(5,2)",
                        "product(generalized_petersen(5,2),line(2))"});
}

TEST(HalfDuplexPlans, OnRandomNetworksToo) {
  Rng rng(5);
  for (uint32_t round = 0; round < 60; ++round) {
    Model model = ports(static_cast<uint32_t>(rng.below(3)) % 2);
    model.duplex = Duplex::kHalf;
    const Topology net = testing::random_topology(rng, 2 + round % 13, round % 3 == 0);
    const Problem half = standard_problem(net, kCollectiveKinds[round % kCollectiveKinds.size()], model);
    EXPECT_LE(steps_of(half), 2 * steps_of(with_full_duplex(half))) << half.title();
  }
}

TEST(HalfDuplexPlans, InATotalExchangeOfWormsBothFiguresAtMostDouble) {
  for (const char* spec : {"torus(4,4)", "mesh(4,4)", "ring(8)", "torus(8,8)", "torus(4,4,4)"}) {
    if (!Sample::whole() && spec == std::string_view("torus(8,8)")) break;
    Problem half = half_duplex(spec, CollectiveKind::kAlltoall, 1);
    Model model = half.model();
    model.switching = Switching::kWormhole;
    model.cost = {.ts = 10, .tx = 1};
    half = Problem(half.topology(), half.collective(), model);
    const Prediction two = choose_algorithm(half).prediction;
    const Prediction one = choose_algorithm(with_full_duplex(half)).prediction;
    const auto time = [&](const Prediction& p) {
      return time_of(model.cost, {.start_ups = *p.start_ups, .critical_blocks = *p.critical_blocks}, 1);
    };
    EXPECT_LE(time(two), 2 * time(one)) << half.title();
  }
}

// The cut through the middle carries what it carried in either direction, now one after the other.
TEST(HalfDuplexPlans, WhereTheCutIsTheBoundTwiceIsOptimal) {
  for (const auto& [spec, steps] : {std::pair("torus(4,4)", 16U),
                                    {"torus(6,6)", 54U},
                                    {"hypercube(5)", 32U},
                                    {"generalized_hypercube(4,5)", 10U},
                                    {"mesh(5,7)", 120U}}) {
    const Compiled made = compile(half_duplex(spec, CollectiveKind::kAlltoall));
    EXPECT_EQ(made.verdict.figures.steps, steps) << spec;
    EXPECT_TRUE(made.optimal()) << spec;
  }
}

TEST(HalfDuplexPlans, AreMembersOfTheirCards) {
  const Problem half = half_duplex("torus(8,8)", CollectiveKind::kAlltoall);
  const Choice best = choose_algorithm(half);
  EXPECT_EQ(best.name(), "alltoall_product_rounds:half_duplex");
  EXPECT_EQ(pick_algorithm(half, best.name()).prediction.steps, best.prediction.steps);
  const Choice asked = pick_algorithm(half, "alltoall_product_rounds");
  EXPECT_EQ(asked.name(), best.name());
  EXPECT_EQ(asked.reason, "asked for; made half duplex");
  // One that serves half duplex by itself does so unless asked otherwise.
  EXPECT_EQ(pick_algorithm(half, "alltoall_direct").name(), "alltoall_direct");
  EXPECT_EQ(pick_algorithm(half, "alltoall_direct:half_duplex").name(), "alltoall_direct:half_duplex");
  EXPECT_EQ(
      error_of([&] { (void)pick_algorithm(half, "alltoall_direct:half"); }),
      "--algorithm: alltoall_direct on torus(8,8) has no member 'half'; did you mean 'half_duplex'? there are: half_duplex");
  EXPECT_EQ(error_of([&] { (void)pick_algorithm(with_full_duplex(half), "alltoall_direct:half_duplex"); }),
            "--algorithm: alltoall_direct is no family; leave out ':half_duplex'");
}

TEST(HalfDuplexPlans, MembersOfAFamilyKeepTheirNames) {
  Problem half = half_duplex("torus(8,8)", CollectiveKind::kAlltoall, 1);
  Model model = half.model();
  model.switching = Switching::kWormhole;
  half = Problem(half.topology(), half.collective(), model);
  const Choice choice = pick_algorithm(half, "alltoall_wormhole_classes");
  EXPECT_THAT(choice.name(), ::testing::EndsWith("/half_duplex"));
  EXPECT_EQ(pick_algorithm(half, choice.name()).prediction.start_ups, choice.prediction.start_ups);
  EXPECT_FALSE(pareto_front(half).empty());
}

// More transfers than are stored: every step becomes two, and the prediction says so without making any.
TEST(HalfDuplexPlans, OfLargePlansEveryStepBecomesTwo) {
  const Problem half = half_duplex("torus(32,32)", CollectiveKind::kAlltoall);
  const Choice choice = pick_algorithm(half, "alltoall_product_rounds");
  EXPECT_EQ(choice.name(), "alltoall_product_rounds:half_duplex");
  EXPECT_EQ(choice.prediction.steps, 8192U);
  EXPECT_FALSE(choice.prediction.measured);
}

TEST(HalfDuplexPlans, AreNotTakenWhereQueuesAreLimited) {
  Problem half = half_duplex("torus(4,4)", CollectiveKind::kAlltoall);
  EXPECT_TRUE(takes_full_duplex_plans(half));
  EXPECT_FALSE(takes_full_duplex_plans(with_full_duplex(half)));
  Model model = half.model();
  model.queue_limit = 3;
  EXPECT_FALSE(takes_full_duplex_plans(Problem(half.topology(), half.collective(), model)));
}

}  // namespace half_duplex_plan_test
}  // namespace quadrille
