#include "quadrille/compile/plan_time.h"

#include <gtest/gtest.h>

#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/products/factor_exchange.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace plan_time_test {

// Every way to switch.
struct Way {
  Switching switching;
  Packets packets = Packets::kOne;
};
constexpr Way kWays[] = {
    {Switching::kPacket}, {Switching::kPacket, Packets::kMany}, {Switching::kWormhole}, {Switching::kShared}};

TEST(PlanTime, APieceIsAPartOfTheMessageRoundedUp) {
  EXPECT_EQ(chunk_bytes(1000, 1), 1000U);
  EXPECT_EQ(chunk_bytes(1000, 3), 334U);
  EXPECT_EQ(chunk_bytes(999, 3), 333U);
  EXPECT_EQ(chunk_bytes(0, 3), 0U);
  EXPECT_EQ(chunk_bytes(2, 3), 1U);
  EXPECT_EQ(chunk_bytes(UINT64_MAX, 2), uint64_t{1} << 63U);
}

// What the cards predict, all of which the conformance suite holds against the judge.
std::vector<Figures> predicted(const Problem& problem) {
  std::vector<Figures> out;
  for (const Algorithm* card : algorithm_catalog()) {
    if (card->collective != problem.collective().kind()) continue;
    const Preparation ready = prepare_serving(*card, problem);
    if (!ready.fits.applies) continue;
    for (const PreparedPlan& plan : ready.plans) {
      if (plan->effort() == Effort::kMuch) continue;
      const Prediction prediction = plan->prediction();
      const std::optional<uint64_t> starts = prediction.start_ups ? prediction.start_ups : prediction.steps;
      const std::optional<uint64_t> rounds =
          sends_single_packets(problem.model()) ? starts : prediction.critical_blocks;
      if (!starts || !rounds) continue;
      Figures& figures = out.emplace_back();
      figures.start_ups = *starts;
      figures.critical_blocks = *rounds;
      figures.critical_hops = prediction.critical_hops.value_or(*starts);
    }
  }
  return out;
}

// The bound in time knows nothing of the pieces that a plan is in, so it must hold for all of them.
TEST(PlanTime, NoPlanInAnyNumberOfPiecesBeatsTheBound) {
  constexpr CostConstants kCosts[] = {
      {.ts = 1, .tx = 8e-5, .in_microseconds = true}, {.ts = 0, .tx = 1}, {.ts = 5, .tx = 1e-3, .tl = 0.5}};
  uint64_t plans = 0;
  for (const char* const spec :
       {"ring(5)", "torus(3,4)", "mesh(2,3)", "complete(5)", "hypercube(3)", "fat_tree(2^2)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const auto& [switching, packets] : kWays) {
        for (const Ports ports : {kAllPorts, kOnePort}) {
          const Model model{.send = ports, .receive = ports, .switching = switching, .packets = packets};
          const std::vector<Bound> bounds = all_bounds(standard_problem(topology, kind, model));
          for (const uint32_t pieces : {1U, 3U, 4U, 16U}) {
            const SharedFactorExchanges shared;
            const std::vector<Figures> found =
                predicted(standard_problem(topology, kind, model, kNoNode, pieces));
            for (const CostConstants& cost : kCosts) {
              Model priced = model;
              priced.cost = cost;
              const Problem whole = standard_problem(topology, kind, priced);
              for (const uint64_t bytes : {0U, 1U, 64U, 100'000U}) {
                const TimeBound bound = least_time(whole, bytes, bounds);
                for (const Figures& figures : found) {
                  ++plans;
                  const double time =
                      time_of(cost, {figures.start_ups, figures.critical_blocks, figures.critical_hops, 0},
                              chunk_bytes(bytes, pieces));
                  EXPECT_GE(time * (1 + 1e-12), bound.time)
                      << whole.title() << ", " << describe(model) << ", in " << pieces << " pieces of "
                      << bytes << " bytes: " << figures.start_ups << " start-ups, " << figures.critical_blocks
                      << " rounds; " << bound.to_text();
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(plans, 10'000U);
}

// Streams in so many pieces that the flow over time is what limits them.
TEST(PlanTime, NoStreamBeatsTheFlowOverTime) {
  uint64_t told = 0;
  for (const char* const spec :
       {"ring(6)", "torus(4,4)", "torus(3,5)", "mesh(3,4)", "hypercube(4)", "line(5)", "tree(2,3)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind :
         {CollectiveKind::kBroadcast, CollectiveKind::kReduce, CollectiveKind::kAllreduce}) {
      const Problem whole = standard_problem(topology, kind, {.cost = default_machine().cost});
      const LeastTime least(whole, all_bounds(whole));
      for (const uint32_t pieces : {1U, 2U, 5U, 12U, 31U, 64U, 200U}) {
        const SharedFactorExchanges shared;
        const std::vector<Figures> found = predicted(in_pieces(whole, pieces));
        for (const uint64_t bytes : {1U, 5000U, 100'000U, 10'000'000U}) {
          const TimeBound bound = least(bytes);
          told += bound.stream ? 1 : 0;
          for (const Figures& figures : found) {
            EXPECT_GE(time_of(whole.model().cost, {figures.start_ups, figures.critical_blocks},
                              chunk_bytes(bytes, pieces)) *
                          (1 + 1e-12),
                      bound.time)
                << whole.title() << " in " << pieces << " pieces of " << bytes << ": " << bound.to_text();
          }
        }
      }
    }
  }
  EXPECT_GT(told, 100U) << "or the flow never says more than what goes over links";
}

// 1 MiB from (0,0): the plan that the house has for 48 pieces takes 18 steps of 1.75 us.
TEST(PlanTime, TheFlowOverTimeIsWhatABroadcastInPiecesTakes) {
  const Problem whole = standard_problem(parse_topology("torus(8,8)"), CollectiveKind::kBroadcast,
                                         {.cost = default_machine().cost});
  const TimeBound bound = least_time(whole, 1 << 20, all_bounds(whole));
  ASSERT_TRUE(bound.stream);
  EXPECT_GT(bound.time, 50.0);
  EXPECT_LT(bound.time, 53.0);
  EXPECT_EQ(bound.to_text().find(std::to_string(bound.stream->steps) + " steps, which bring at most "), 0U)
      << bound.to_text();
}

// Messages that take 8 start-ups each to go over a link: 63 of them over four links after 8 start-ups, which is what the
// classes of dimensions take.
TEST(PlanTime, FewerStartUpsNeedLongerWays) {
  const Problem whole = standard_problem(parse_topology("torus(8,8)"), CollectiveKind::kAllgather,
                                         {.switching = Switching::kShared, .cost = {.ts = 1, .tx = 8e-3}});
  const TimeBound bound = least_time(whole, 1000, all_bounds(whole));
  ASSERT_TRUE(bound.tree);
  EXPECT_EQ(bound.to_text(),
            "8 start-ups, with which a link must carry 15.75 messages (trees of so few levels)");
  EXPECT_DOUBLE_EQ(bound.time, 8 + 15.75 * 8);
  EXPECT_EQ(least_time(whole, 1, all_bounds(whole)).tree->start_ups, 1U) << "of a few bytes one is enough";
}

// Of messages nothing is predicted: the judge counts them.
TEST(PlanTime, NoPlanWhoseMessagesAreCountedBeatsTheBound) {
  uint64_t plans = 0;
  for (const char* const spec : {"ring(5)", "mesh(2,3)", "complete(5)", "hypercube(3)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const auto& [switching, packets] : kWays) {
        const Problem problem = standard_problem(
            topology, kind,
            {.switching = switching, .packets = packets, .cost = {.ts = 1, .tx = 1e-3, .to = 0.4}});
        const LeastTime least(problem, all_bounds(problem));
        for (const Algorithm* card : algorithm_catalog()) {
          if (card->collective != kind) continue;
          for (const PreparedPlan& plan : prepare_serving(*card, problem).plans) {
            if (plan->effort() == Effort::kMuch) continue;
            Judge judge(problem, {.threads = 1});
            plan->generate(judge);
            const Figures figures = judge.finish().figures;
            ++plans;
            for (const uint64_t bytes : {0U, 64U, 10'000U}) {
              const double time = time_of(problem.model().cost,
                                          {.start_ups = figures.start_ups,
                                           .critical_blocks = figures.critical_blocks,
                                           .further_messages = figures.further_messages},
                                          bytes);
              EXPECT_GE(time * (1 + 1e-12), least(bytes).time)
                  << card->name << ", " << problem.title() << ": " << figures.further_messages
                  << " further messages; " << least(bytes).to_text();
            }
          }
        }
      }
    }
  }
  EXPECT_GT(plans, 300U);
}

TEST(PlanTime, FewerStepsNeedMoreMessagesWhereTheseCost) {
  const auto least = [](double ts, double to) {
    const Problem whole = standard_problem(parse_topology("complete(16)"), CollectiveKind::kBroadcast,
                                           {.cost = {.ts = ts, .to = to}});
    return least_time(whole, 0, all_bounds(whole));
  };
  // All at once, in two steps of three messages, in four of one.
  EXPECT_DOUBLE_EQ(least(1, 0.01).time, 1 + 14 * 0.01);
  EXPECT_DOUBLE_EQ(least(1, 0.1).time, 2 + 4 * 0.1);
  EXPECT_DOUBLE_EQ(least(1, 9).time, 4.0);
  EXPECT_EQ(least(1, 9).start_ups, 4U);
}

TEST(PlanTime, TheBoundIsThatOfOnePieceWhateverThePieces) {
  const Topology topology = parse_topology("torus(3,4)");
  const auto least = [&](uint32_t pieces) {
    const Problem problem = standard_problem(topology, CollectiveKind::kAllreduce,
                                             {.cost = default_machine().cost}, kNoNode, pieces);
    return least_time(problem, 1 << 20, all_bounds(problem)).time;
  };
  EXPECT_EQ(least(1), least(7));
  EXPECT_GT(least(1), 3.0);
}

// Bounds that claim to be in proportion to the pieces are.
TEST(PlanTime, WhatIsInProportionToThePiecesIs) {
  for (const char* const spec :
       {"ring(5)", "line(4)", "torus(3,4)", "complete(5)", "fat_tree(2^2)", "star(5)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const auto& [switching, packets] : kWays) {
        for (const Ports ports : {kAllPorts, kOnePort}) {
          const Model model{.send = ports, .receive = ports, .switching = switching, .packets = packets};
          for (const BoundCard* card : bound_catalog()) {
            if (!card->in_proportion) continue;
            const auto counted = [&](uint32_t pieces) -> std::optional<Rational> {
              const Problem problem = standard_problem(topology, kind, model, kNoNode, pieces);
              const BoundOn on = sends_single_packets(model) ? BoundOn::kSteps : BoundOn::kCriticalBlocks;
              for (const Bound& bound : bounds_of(*card, problem)) {
                if (bound.on == on) return bound.value;
              }
              return std::nullopt;
            };
            const std::optional<Rational> one = counted(1);
            const std::optional<Rational> five = counted(5);
            ASSERT_EQ(one.has_value(), five.has_value()) << card->name << " on " << spec;
            if (!one) continue;
            EXPECT_EQ(*one * Rational(5), *five) << card->name << " on " << spec;
          }
        }
      }
    }
  }
}

}  // namespace plan_time_test
}  // namespace quadrille
