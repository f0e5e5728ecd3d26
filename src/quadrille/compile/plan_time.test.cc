#include "quadrille/compile/plan_time.h"

#include <gtest/gtest.h>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/machine.h"
#include "quadrille/topology/topology_spec.h"

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

std::optional<Compiled> made(const Problem& problem, uint64_t bytes) {
  try {
    return compile(problem, {.bytes = bytes});
  } catch (const InputError&) {
    return std::nullopt;  // no algorithm there
  }
}

// The bound in time knows nothing of the pieces that a plan is in, so it must hold for all of them.
TEST(PlanTime, NoPlanInAnyNumberOfPiecesBeatsTheBound) {
  constexpr CostConstants kCosts[] = {
      {.ts = 1, .tx = 8e-5, .in_microseconds = true}, {.ts = 0, .tx = 1}, {.ts = 5, .tx = 1e-3, .tl = 0.5}};
  uint64_t plans = 0;
  for (const char* const spec : {"ring(5)", "line(4)", "torus(3,4)", "mesh(2,3)", "complete(5)",
                                 "hypercube(3)", "fat_tree(2^2)", "torus(4,4)", "star(5)"}) {
    const Topology topology = parse_topology(spec);
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const auto& [switching, packets] : kWays) {
        for (const Ports ports : {kAllPorts, kOnePort}) {
          for (const uint32_t pieces : {1U, 2U, 3U, 8U, 16U}) {
            Model model{.send = ports, .receive = ports, .switching = switching, .packets = packets};
            std::optional<Compiled> plan;
            for (const CostConstants& cost : kCosts) {
              model.cost = cost;
              const Problem problem = standard_problem(topology, kind, model, kNoNode, pieces);
              if (!plan) plan = made(problem, 1000);
              if (!plan) break;
              ++plans;
              for (const uint64_t bytes : {0U, 1U, 64U, 100'000U}) {
                const PlanTime time = time_of(problem, plan->verdict.figures, plan->bounds, {}, bytes);
                EXPECT_GE(time.total * (1 + 1e-12), time.least)
                    << problem.title() << " in " << pieces << " pieces of " << bytes << " bytes, "
                    << plan->head.algorithm << ": " << time.bound.to_text();
                EXPECT_DOUBLE_EQ(time.total, time.latency + time.propagation + time.transfer);
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(plans, 1500U);
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
