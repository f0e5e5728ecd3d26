// The one-port broadcasts against the fewest steps there are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/one_port_search.h"
#include "quadrille/algorithms/trees/torus_broadcast_tree.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/search/one_port_broadcast.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_search;
extern const Algorithm broadcast_torus;
extern const Algorithm broadcast_urgent;
}  // namespace algorithms

namespace broadcast_one_port_broadcast_test {

using ::testing::HasSubstr;

constexpr Model kOne{.send = kOnePort, .receive = kOnePort};

Problem broadcast(std::string_view spec, uint32_t root = 0, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, kOne, NodeId{root}, pieces);
}

std::string torus(const std::vector<uint32_t>& sides) {
  return fmt::format("torus({})", fmt::join(sides, ","));
}

// Calls `use` with every multiset of sides from 2 on whose product is at most `most`.
template <typename Use>
void for_each_torus(std::vector<uint32_t>& sides, uint32_t product, uint32_t most, const Use& use) {
  for (uint32_t side = sides.empty() ? 2 : sides.back(); side * product <= most; ++side) {
    sides.push_back(side);
    use(sides);
    for_each_torus(sides, side * product, most, use);
    sides.pop_back();
  }
}

TEST(BroadcastTorus, TakesTheDiameterWithEvenSides) {
  EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast("torus(8,8,4)", 77)), 10U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast("torus(2,4,6,8)", 1)), 10U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast("hypercube(7)", 5)), 7U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast("ring(10)", 9)), 5U);
}

TEST(BroadcastTorus, TakesOneStepMoreWithUpToTwoOddSides) {
  for (uint32_t a = 3; a <= 11; a += 2) {
    for (uint32_t b = a; b <= 13; b += 2) {
      const uint64_t expected = a == 3 && b == 3 ? 4 : a / 2 + b / 2 + 1;
      EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast(torus({a, b}), a)), expected)
          << a << " x " << b;
      EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast(torus({b, a}), b)), expected)
          << b << " x " << a;
    }
  }
  for (uint32_t n = 6; n <= 30; n += 2)
    EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast(torus({3, n, 3}), n)), n / 2 + 3) << n;
  EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast("torus(101,99)", 5000)), 100U);
}

TEST(BroadcastTorus, TakesWhatTheOpenProblemWasSettledAt) {
  const std::vector<std::pair<std::string_view, uint64_t>> known = {
      {"torus(3,3,3)", 5}, {"torus(5,5)", 5},     {"torus(7,7)", 7},
      {"torus(9,9)", 9},   {"torus(3,3,5)", 6},   {"torus(3,5,5)", 7},
      {"torus(5,5,5)", 8}, {"torus(3,3,3,3)", 7}, {"torus(7,7,7)", 11}};
  for (const auto& [spec, steps] : known) {
    EXPECT_EQ(judged_steps(algorithms::broadcast_torus, broadcast(spec)), steps) << spec;
  }
}

TEST(BroadcastTorus, NeverTakesLongerThanItsGroupsOneAfterTheOther) {
  std::vector<uint32_t> sides;
  for_each_torus(sides, 1, 40, [](const std::vector<uint32_t>& each) {
    const Problem problem = broadcast(torus(each));
    EXPECT_LE(*algorithms::broadcast_torus.plan_for(problem)->prediction().steps, torus_broadcast_steps(each))
        << problem.title();
  });
  EXPECT_EQ(torus_broadcast_steps({5, 5, 5, 5}), 10U);
  EXPECT_EQ(torus_broadcast_steps({3, 3, 3, 3, 3, 6}), 5U + 6U);
}

// Every torus of up to 128 nodes, any number of dimensions: judged, and at the best bound.
TEST(BroadcastTorusSlow, IsOptimalOnEveryTorusOfUpTo128Nodes) {
  std::vector<uint32_t> sides;
  size_t tori = 0;
  for_each_torus(sides, 1, 128, [&](const std::vector<uint32_t>& each) {
    const Problem problem = broadcast(torus(each));
    const uint64_t steps = judged_steps(algorithms::broadcast_torus, problem);
    EXPECT_EQ(static_cast<int64_t>(steps), best_bound(problem).value.ceil()) << problem.title();
    ++tori;
  });
  EXPECT_EQ(tori, 496U);
}

// The same without any closed bound but distance and doubling.
TEST(BroadcastTorusSlow, AStepFewerIsRefutedAnewOnEveryTorusOfUpTo128Nodes) {
  std::vector<uint32_t> sides;
  for_each_torus(sides, 1, 128, [&](const std::vector<uint32_t>& each) {
    const Problem problem = broadcast(torus(each));
    const uint64_t steps = *algorithms::broadcast_torus.plan_for(problem)->prediction().steps;
    EXPECT_EQ(one_port_floor(problem.topology(), NodeId{0}, 300'000).steps, steps) << problem.title();
  });
  EXPECT_EQ(one_port_floor(parse_topology("torus(7,7,7)"), NodeId{0}, 300'000).steps, 11U);
}

TEST(BroadcastSearch, IsOptimalOnSmallGraphs) {
  EXPECT_EQ(judged_steps(algorithms::broadcast_search, broadcast("torus(3,5,5)")), 7U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_search, broadcast("generalized_petersen(5,2)")), 4U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_search, broadcast("complete(20)")), 5U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_search, broadcast("mesh(5,5)", 12)), 6U);
  EXPECT_EQ(judged_steps(algorithms::broadcast_search, broadcast("cube_connected_cycles(3)")), 6U);
}

TEST(BroadcastSearch, GivesItsBestAndAFloorWhenTheBudgetRunsOut) {
  const Topology net = parse_topology("torus(3,5,7)");
  const OnePortOptimum hurried = search_one_port_tree(net, NodeId{0}, 3);
  EXPECT_EQ(hurried.floor, 7U);
  EXPECT_GE(hurried.steps, 8U);
  const OnePortOptimum patient = search_one_port_tree(net, NodeId{0}, 50'000);
  EXPECT_EQ(patient.floor, 8U);
  EXPECT_EQ(patient.steps, 8U);
}

TEST(BroadcastSearch, SaysWhichConditionFailsAndWhatWouldFit) {
  EXPECT_THAT(
      algorithms::broadcast_search.applies(broadcast("torus(32,32)")).reason,
      HasSubstr("up to 512 nodes and 4096 arcs and torus(32,32) has 1024 and 4096; broadcast_urgent takes"));
  EXPECT_THAT(algorithms::broadcast_search.applies(broadcast("ring(5)", 0, 2)).reason,
              HasSubstr("in one piece, not in 2"));
  EXPECT_THAT(algorithms::broadcast_torus.applies(broadcast("mesh(3,3)")).reason,
              HasSubstr("mesh(3,3) is not known to be a torus"));
  const Problem all_ports = standard_problem(parse_topology("torus(4,4)"), CollectiveKind::kBroadcast);
  EXPECT_THAT(algorithms::broadcast_urgent.applies(all_ports).reason, HasSubstr("few send ports"));
  EXPECT_THAT(algorithms::broadcast_search.applies(broadcast("fat_tree(2^2;constant)")).reason,
              HasSubstr("has routers"));
}

TEST(BroadcastUrgent, ComesWithinAStepOfTheBound) {
  for (const std::string_view spec :
       {"torus(5,5)", "torus(5,5,5)", "torus(7,7,7)", "mesh(8,8)", "mesh(9,7)", "hypercube(7)",
        "torus(16,16)", "complete(50)", "cube_connected_cycles(4)", "star(5)", "butterfly(3)",
        "circulant(64;1,9)"}) {
    const Problem problem = broadcast(spec);
    EXPECT_LE(static_cast<int64_t>(judged_steps(algorithms::broadcast_urgent, problem)),
              best_bound(problem).value.ceil() + 1)
        << spec;
  }
}

// Down a breadth-first tree these take a step or two more.
// A leaf switch needs as many steps as it has hosts, and switches that lead to nobody are of use only to spread the news.
TEST(BroadcastUrgent, ServesHostsOnSwitchesInTime) {
  for (const std::string_view spec :
       {"xgft(8,16;1,8)", "xgft(2,2;1,2)", "clos(4)", "dragonfly(2,4,2)", "fat_tree(2^3)",
        "edges(\"a s, b s, c s, s t\";\"switches s\",\"switches t\")"}) {
    for (const uint32_t count : {1U, 2U, 3U}) {
      const Topology net = parse_topology(spec);
      const Problem problem =
          standard_problem(net, CollectiveKind::kBroadcast, ports(count), net.endpoint(Rank{1}));
      const auto least = best_bound(problem).value.ceil();
      EXPECT_LE(static_cast<int64_t>(judged_steps(algorithms::broadcast_urgent, problem)),
                least + (net.num_nodes() < 100 ? 1 : 0))
          << spec << " with " << count << " ports";
    }
  }
}

// The hub of a wheel has to tell the rim at such places that what goes on between them meets in the last step.
TEST(BroadcastUrgent, GoesRoundWheelsInTheFewestSteps) {
  for (const int rim : {20, 57, 91, 129}) {
    std::string links;
    for (int i = 0; i < rim; ++i)
      links += fmt::format("{}hub r{}, r{} r{}", i == 0 ? "" : ", ", i, i, (i + 1) % rim);
    const Topology net = parse_topology("edges(\"" + links + "\")");
    for (const uint32_t count : {1U, 2U}) {
      const Problem problem =
          standard_problem(net, CollectiveKind::kBroadcast, ports(count), net.endpoint(Rank{0}));
      EXPECT_EQ(static_cast<int64_t>(judged_steps(algorithms::broadcast_urgent, problem)),
                best_bound(problem).value.ceil())
          << rim << " with " << count << " ports";
    }
  }
}

TEST(BroadcastUrgent, InformsThroughAsManyPortsAsThereAre) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    int64_t steps;
  };
  for (const Row& row : {Row{"slim_fly(7)", 3, 4}, Row{"generalized_kautz(150,3)", 2, 6},
                         Row{"random_regular(600,5;3)", 2, 7}, Row{"random_regular(600,5;3)", 3, 6}}) {
    const Problem problem =
        standard_problem(parse_topology(row.spec), CollectiveKind::kBroadcast, ports(row.ports));
    EXPECT_EQ(static_cast<int64_t>(judged_steps(algorithms::broadcast_urgent, problem)), row.steps)
        << row.spec;
    EXPECT_EQ(best_bound(problem).value.ceil(), row.steps) << row.spec;
  }
}

}  // namespace broadcast_one_port_broadcast_test
}  // namespace quadrille
