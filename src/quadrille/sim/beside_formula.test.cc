#include "quadrille/sim/beside_formula.h"

#include <gtest/gtest.h>

#include <vector>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace beside_formula_test {
namespace {

constexpr double kLong = 60.0;

TEST(BesideFormula, WhereNobodyMeetsItIsFlitsAndHeads) {
  // Of step 0 a worm of 10 flits over 3 hops, of step 1 one of 7 over 1.
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{3}, 10}, {NodeId{3}, NodeId{4}, 7, 1}};
  const Traffic traffic = traffic_of(parse_topology("line(6)"), demands);
  const auto found = beside_formula(traffic, {.router_delay = 2}, kLong);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->flits, 17U);
  EXPECT_EQ(found->heads, 3 * 2 + 1 + 2 + 1U);
  EXPECT_EQ(found->rest(), 0);
  EXPECT_EQ(found->contention, 0U);
  EXPECT_EQ(found->meets_without, false);
}

TEST(BesideFormula, TheLargestMessageAndTheFarthestMayBeTwo) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{1}, 10}, {NodeId{2}, NodeId{5}, 2}};
  const auto found = beside_formula(traffic_of(parse_topology("line(6)"), demands), {}, kLong);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->flits + found->heads, 10 + 3U);
  EXPECT_EQ(found->cycles, 11U);
  EXPECT_EQ(found->rest(), -2);
}

TEST(BesideFormula, WhoWaitsTakesLonger) {
  // The second can go on only when the first has left the link between them, and then has its whole way before it.
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{3}, 20}, {NodeId{1}, NodeId{5}, 20}};
  const auto found = beside_formula(traffic_of(parse_topology("line(6)"), demands), {.vcs = 1}, kLong);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->flits, 40U);
  EXPECT_GT(found->contention, 0U);
  EXPECT_GT(found->cycles, 24U);
  EXPECT_EQ(found->meets_without, true);
}

TEST(BesideFormula, WhatTakesTooLongIsNotBegun) {
  const std::vector<Parcel> demands = {{NodeId{0}, NodeId{3}, 1'000'000}, {NodeId{1}, NodeId{5}, 1'000'000}};
  const Traffic traffic = traffic_of(parse_topology("line(6)"), demands);
  EXPECT_FALSE(beside_formula(traffic, {}, 0.01));
  // Where nobody meets nothing is gone through flit by flit, and nothing takes long.
  const Traffic alone = traffic_of(parse_topology("line(6)"), std::span(demands).first(1));
  EXPECT_TRUE(beside_formula(alone, {}, 0.01));
}

}  // namespace
}  // namespace beside_formula_test
}  // namespace quadrille
