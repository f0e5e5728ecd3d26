#include "quadrille/algorithms/cayley/balanced_ways.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "quadrille/algorithms/cayley/ways_in_steps.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/topology/cayley/permutation_group.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille::balanced_ways_test {

StepRoom all_of(const Topology& topology) {
  const size_t generators = topology.cayley()->generators.size();
  return {std::vector<uint32_t>(generators, 1), static_cast<uint32_t>(generators)};
}

uint64_t steps_of_loads(const std::string& spec, uint32_t pieces = 1) {
  const Topology topology = parse_topology(spec);
  const StepRoom room = all_of(topology);
  return room.steps(
      balanced_ways(*topology.cayley(), room, pieces).loads(topology.cayley()->generators.size()));
}

uint64_t bound_of(const std::string& spec, uint32_t ports = 0, uint32_t pieces = 1) {
  const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAlltoall,
                                           {.send = Ports{ports}, .receive = Ports{ports}}, kNoNode, pieces);
  return static_cast<uint64_t>(best_bound(problem).value.ceil());
}

// Every way leads to its displacement, and the loads are those of the hops.
void expect_ways(const CayleyStructure& cayley, const RelativeWays& ways, uint32_t pieces) {
  ASSERT_EQ(ways.count(), (cayley.group->order() - 1) * pieces);
  std::vector<uint64_t> loads(cayley.generators.size(), 0);
  std::vector<uint32_t> seen(cayley.group->order(), 0);
  for (uint32_t m = 0; m < ways.count(); ++m) {
    uint32_t at = 0;
    for (const uint16_t k : ways.hops(m)) {
      at = cayley.group->multiply(at, cayley.generators[k]);
      ++loads[k];
    }
    ASSERT_EQ(at, ways.displacement(m));
    ASSERT_EQ(ways.piece(m), seen[at]++);
  }
  EXPECT_EQ(ways.loads(loads.size()), loads);
}

// Every hop once, in steps that the room allows; messages arrive.
void expect_steps(const CayleyStructure& cayley, const RelativeWays& ways, const StepRoom& room,
                  const HopSteps& steps) {
  std::vector<uint32_t> at(ways.count(), 0);
  std::vector<uint64_t> last(ways.count(), UINT64_MAX);
  uint64_t hops = 0;
  for (uint64_t t = 0; t < steps.count(); ++t) {
    std::vector<uint32_t> used(cayley.generators.size(), 0);
    ASSERT_FALSE(steps.step(t).empty());
    ASSERT_LE(steps.step(t).size(), room.ports);
    for (const RelativeHop& hop : steps.step(t)) {
      ASSERT_NE(last[hop.message], t);
      last[hop.message] = t;
      ASSERT_LE(++used[hop.generator], room.capacity[hop.generator]);
      at[hop.message] = cayley.group->multiply(at[hop.message], cayley.generators[hop.generator]);
      ++hops;
    }
  }
  EXPECT_EQ(hops, ways.total());
  for (uint32_t m = 0; m < ways.count(); ++m) ASSERT_EQ(at[m], ways.displacement(m));
}

TEST(BalancedWays, LoadGeneratorsNoMoreThanTheBoundProves) {
  for (const std::string spec : {"ring(3)",
                                 "star(3)",
                                 "star(4)",
                                 "star(5)",
                                 "star(6)",
                                 "star(7)",
                                 "pancake(4)",
                                 "pancake(5)",
                                 "cube_connected_cycles(3)",
                                 "cube_connected_cycles(4)",
                                 "cube_connected_cycles(6)",
                                 "cube_connected_cycles(8)",
                                 "butterfly(3)",
                                 "butterfly(4)",
                                 "butterfly(6)",
                                 "butterfly(8)",
                                 "cayley(S(4);(0 1),(1 2),(2 3))",
                                 "cayley(S(5);(0 1),(1 2),(2 3),(3 4))",
                                 "cayley(S(6);(0 1),(1 2),(2 3),(3 4),(4 5))",
                                 "cayley(S(5);(0 1 2 3 4),(0 4 3 2 1),(0 1))",
                                 "cayley(S(4);(0 1),(0 2),(0 3),(1 2),(1 3),(2 3))",
                                 "circulant(16;1,6)",
                                 "hypercube(8)",
                                 "product(cube_connected_cycles(4),pancake(4))",
                                 "product(star(4),ring(5))"}) {
    EXPECT_EQ(steps_of_loads(spec), bound_of(spec)) << spec;
  }
}

TEST(BalancedWays, WhereLoadsDoNotComeOutEvenStayWithinAPartOfAPerCent) {
  for (const std::string spec : {"pancake(6)", "circulant(1000;1,37)", "twisted_torus(16,16;8)"})
    EXPECT_LE(steps_of_loads(spec), bound_of(spec) * 1004 / 1000) << spec;
}

TEST(BalancedWays, PiecesShareWhatDoesNotComeOutEven) {
  EXPECT_EQ(steps_of_loads("star(4)", 3), 62U);
  EXPECT_EQ(steps_of_loads("star(5)", 2), bound_of("star(5)", 0, 2));
}

TEST(BalancedWays, CountWideLinksAndPorts) {
  const Topology topology = parse_topology("cube_connected_cycles(4)");
  const CayleyStructure& cayley = *topology.cayley();
  // The links across are twice as wide: half of what they carry, and the rings become as busy.
  StepRoom room = all_of(topology);
  for (size_t k = 0; k < room.capacity.size(); ++k)
    if (cayley.inverses[k] == k) room.capacity[k] = 2;
  room.ports = 4;
  const RelativeWays ways = balanced_ways(cayley, room, 1);
  expect_ways(cayley, ways, 1);
  EXPECT_LT(room.steps(ways.loads(3)), 100U);
  const HopSteps steps = ways_in_steps(cayley, ways, room);
  expect_steps(cayley, ways, room, steps);
  EXPECT_LE(steps.count(), room.steps(ways.loads(3)) + 1);
  // With two ports, what a node sends in all is what counts.
  room = all_of(topology);
  room.ports = 2;
  EXPECT_EQ(room.steps(balanced_ways(cayley, room, 1).loads(3)), bound_of("cube_connected_cycles(4)", 2));
}

TEST(BalancedWays, AreTheSameEachTime) {
  const Topology topology = parse_topology("pancake(5)");
  const StepRoom room = all_of(topology);
  const RelativeWays one = balanced_ways(*topology.cayley(), room, 1);
  const RelativeWays other = balanced_ways(*topology.cayley(), room, 1);
  for (uint32_t m = 0; m < one.count(); ++m) EXPECT_TRUE(std::ranges::equal(one.hops(m), other.hops(m)));
}

Permutation random_permutation() {
  Permutation out = identity_permutation(5);
  for (size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[*rc::gen::inRange<size_t>(0, i)]);
  return out;
}

RC_GTEST_PROP(BalancedWays, OfRandomGeneratorsArriveAndNearlyMeetTheBound, ()) {
  std::set<Permutation> chosen;
  const auto count = *rc::gen::inRange<size_t>(1, 4);
  for (size_t i = 0; i < count; ++i) {
    const Permutation one = random_permutation();
    if (one == identity_permutation(5)) continue;
    chosen.insert(one);
    chosen.insert(inverse_of(one));
  }
  if (chosen.empty()) return;
  std::vector<std::string> generators;
  for (const Permutation& one : chosen) generators.push_back(cycle_text(one));
  const Topology topology = parse_topology(fmt::format("cayley(S(5);{})", fmt::join(generators, ",")));
  const CayleyStructure& cayley = *topology.cayley();
  const auto pieces = *rc::gen::inRange<uint32_t>(1, 4);
  StepRoom room = all_of(topology);
  room.ports = *rc::gen::inRange<uint32_t>(1, room.ports + 1);
  const RelativeWays ways = balanced_ways(cayley, room, pieces);
  expect_ways(cayley, ways, pieces);
  const uint64_t least = bound_of(topology.name(), room.ports, pieces);
  const uint64_t steps = room.steps(ways.loads(room.capacity.size()));
  RC_ASSERT(steps >= least);
  RC_ASSERT(steps <= least + least / 100 + 1);
  const HopSteps order = ways_in_steps(cayley, ways, room);
  expect_steps(cayley, ways, room, order);
  RC_ASSERT(order.count() <= steps + steps / 50 + 3);
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace quadrille::balanced_ways_test
