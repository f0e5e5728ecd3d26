#include "quadrille/algorithms/packing/swarms/tight_sets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_swarm;
extern const Algorithm reduce_scatter_swarm;
}  // namespace algorithms

namespace tight_sets_test {

// Cliques in a ring, each with a link from its second node to the first of the next one.
std::string ring_of_cliques(int cliques, int size) {
  std::string links;
  for (int c = 0; c < cliques; ++c) {
    for (int i = 0; i < size; ++i)
      for (int j = i + 1; j < size; ++j) links += fmt::format("{0}_{1} {0}_{2}, ", 'a' + c, i, j);
    links += fmt::format("{}_1 {}_0{}", 'a' + c, 'a' + (c + 1) % cliques, c + 1 < cliques ? ", " : "");
  }
  return "edges(\"" + links + "\")";
}

SwarmTask gathering(const Topology& net, uint32_t count) {
  SwarmTask task{net, Ports{count}, Ports{count}};
  task.origins.assign(net.endpoints().begin(), net.endpoints().end());
  return task;
}

TEST(TightSets, AreTheCliquesOfARing) {
  const Topology net = parse_topology(ring_of_cliques(6, 5));
  const std::vector<TightSet> sets = tight_sets(gathering(net, 2), 15);
  ASSERT_EQ(sets.size(), 6U);
  for (const TightSet& set : sets) {
    EXPECT_EQ(std::ranges::count(set.holds, 1), 5);
    EXPECT_EQ(set.border.size(), 2U);
    EXPECT_EQ(set.lanes, 2U);
    EXPECT_EQ(set.outside, 25U);
    EXPECT_EQ(set.steps, 13U + 1U);
    for (const ArcId arc : set.border) {
      EXPECT_EQ(set.holds[index(net.tail(arc))], 0);
      EXPECT_EQ(set.holds[index(net.head(arc))], 1);
    }
  }
}

TEST(TightSets, AreAllWaysThroughABridgeThatTakesLong) {
  // Node i of the line hears over one link of all before it, and the last of that has far to go.
  const Topology net = parse_topology("line(9)");
  const std::vector<TightSet> sets = tight_sets(gathering(net, 2), 8);
  EXPECT_EQ(sets.size(), 16U);  // every link is a border, both ways
  for (const TightSet& set : sets) EXPECT_EQ(set.steps, 8U);
}

TEST(TightSets, AreNoneWhereLinksAreMany) {
  for (const std::string_view spec : {"complete(1)", "complete(3)", "ring(5)", "torus(4,4)", "complete(9)"}) {
    const Topology net = parse_topology(spec);
    EXPECT_TRUE(tight_sets(gathering(net, 2), (net.num_nodes() + 1) / 2).empty()) << spec;
  }
}

// The links of a ring of cliques must bring something new in nearly every step.
TEST(TightSets, DoNotIdleInASwarm) {
  const auto steps = [](const Algorithm& card, CollectiveKind kind, int cliques, int size, uint32_t count) {
    return judged_steps(card,
                        standard_problem(parse_topology(ring_of_cliques(cliques, size)), kind, ports(count)));
  };
  EXPECT_LE(steps(algorithms::allgather_swarm, CollectiveKind::kAllgather, 8, 7, 2), 31U);  // before, 46
  EXPECT_LE(steps(algorithms::allgather_swarm, CollectiveKind::kAllgather, 8, 7, 3), 28U);  // 45
  EXPECT_LE(steps(algorithms::allgather_swarm, CollectiveKind::kAllgather, 7, 6, 2), 24U);  // 34
  EXPECT_LE(steps(algorithms::reduce_scatter_swarm, CollectiveKind::kReduceScatter, 7, 6, 2), 24U);
}

// A crowd at the end of a line: every link of it has something new in every step, or the last node hears too late.
TEST(TightSets, KeepALineBusy) {
  std::string links = "c1 p1";
  for (int i = 1; i < 40; ++i) links += fmt::format(", p{} p{}", i, i + 1);
  for (int i = 1; i <= 30; ++i)
    for (int j = i + 1; j <= 30; ++j) links += fmt::format(", c{} c{}", i, j);
  const Topology net = parse_topology("edges(\"" + links + "\")");
  for (const uint32_t count : {2U, 3U})
    EXPECT_EQ(judged_steps(algorithms::allgather_swarm,
                           standard_problem(net, CollectiveKind::kAllgather, ports(count))),
              69U);
}

// Two crowds at the ends of a line: what goes along it, and has far to go, comes before what a gate tells its own crowd, whichever way
// the plan was made.
TEST(TightSets, KeepALineBetweenCrowdsBusy) {
  std::string links = "a1 p1, p24 b1";
  for (int i = 1; i < 24; ++i) links += fmt::format(", p{} p{}", i, i + 1);
  for (int i = 1; i <= 30; ++i)
    for (int j = i + 1; j <= 30; ++j) links += fmt::format(", a{0} a{1}, b{0} b{1}", i, j);
  const Topology net = parse_topology("edges(\"" + links + "\")");
  const auto steps = [&](const Algorithm& card, CollectiveKind kind) {
    return judged_steps(card, standard_problem(net, kind, ports(2)));
  };
  // 54 blocks over one link into each crowd, and four steps until the last of them is everywhere; before, 81.
  EXPECT_LE(steps(algorithms::allgather_swarm, CollectiveKind::kAllgather), 60U);
  EXPECT_LE(steps(algorithms::reduce_scatter_swarm, CollectiveKind::kReduceScatter), 60U);
}

}  // namespace tight_sets_test
}  // namespace quadrille
