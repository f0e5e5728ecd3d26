#include "quadrille/bounds/spreading/tree_hops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

Problem problem_on(const Topology& topology, CollectiveKind kind = CollectiveKind::kAllgather,
                   Ports ports = kAllPorts) {
  Model model;
  model.switching = Switching::kShared;
  model.send = model.receive = ports;
  return standard_problem(topology, kind, model);
}

// Of all trees: ranks get it in some step, from whoever is nearest of those that got it in an earlier one.
uint64_t least_by_trying(const Topology& topology, NodeId root, uint64_t levels) {
  std::vector<std::vector<uint32_t>> hops;
  for (const NodeId v : topology.endpoints()) hops.push_back(distances_from(topology, v));
  const uint32_t ranks = topology.num_endpoints();
  std::vector<uint64_t> level(ranks, 0);
  uint64_t best = UINT64_MAX;
  const std::function<void(uint32_t)> from = [&](uint32_t v) {
    if (v == ranks) {
      uint64_t all = 0;
      for (uint32_t w = 0; w < ranks; ++w) {
        if (w == index(root)) continue;
        uint32_t nearest = UINT32_MAX;
        for (uint32_t u = 0; u < ranks; ++u)
          if (level[u] < level[w]) nearest = std::min(nearest, hops[u][w]);
        all += nearest;
      }
      best = std::min(best, all);
      return;
    }
    if (v == index(root)) return from(v + 1);
    for (level[v] = 1; level[v] <= levels; ++level[v]) from(v + 1);
  };
  level[index(root)] = 0;
  from(0);
  return best;
}

TEST(TreeHops, AreNoMoreThanThoseOfAnyTree) {
  for (const std::string spec : {"ring(7)", "line(6)", "mesh(2,3)", "star(3)", "hypercube(3)", "torus(3,2)",
                                 "kautz(2,2)", "without(ring(6);\"link 0 1\")"}) {
    const Topology topology = parse_topology(spec);
    const TreeHops hops(problem_on(topology));
    ASSERT_TRUE(hops.is_known()) << spec;
    for (uint64_t levels = 1; levels <= 4; ++levels) {
      uint64_t all = 0;
      for (const NodeId root : topology.endpoints()) all += least_by_trying(topology, root, levels);
      EXPECT_LE(hops.in_levels(levels), Int128{all}) << spec << ", " << levels;
    }
  }
}

TEST(TreeHops, OfOneLevelAreTheDistancesWhereAllRanksSeeTheSame) {
  for (const std::string spec : {"ring(9)", "torus(4,6)", "hypercube(5)", "complete(7)"}) {
    const Topology topology = parse_topology(spec);
    const TreeHops hops(problem_on(topology));
    EXPECT_EQ(hops.in_levels(1), Int128{status(topology, NodeId{0})} * topology.num_nodes()) << spec;
    EXPECT_EQ(hops.in_levels(hops.most_levels()), Int128{topology.num_nodes() - 1} * topology.num_nodes())
        << spec;
  }
}

TEST(TreeHops, BecomeFewerWithEveryLevel) {
  const TreeHops hops(problem_on(parse_topology("torus(32,32)")));
  std::vector<uint64_t> of_one;
  for (uint64_t levels = 1; levels <= 4; ++levels)
    of_one.push_back(static_cast<uint64_t>(hops.in_levels(levels) / 1024));
  EXPECT_EQ(of_one, (std::vector<uint64_t>{16384, 1902, 1103, 1051}));
}

TEST(TreeHops, WithFewPortsFewGetABlockInAStep) {
  const Topology topology = parse_topology("ring(8)");
  const TreeHops one(problem_on(topology, CollectiveKind::kReduceScatter, kOnePort));
  const TreeHops all(problem_on(topology, CollectiveKind::kReduceScatter));
  EXPECT_EQ(one.in_levels(3), Int128{8 * 8}) << "1, 2 and 4 ranks, of which two are two hops away";
  EXPECT_GT(one.in_levels(2), Int128{1} << 40U) << "two steps do not do";
  EXPECT_LT(all.in_levels(2), Int128{8 * 16});
}

TEST(TreeHops, AreNotKnownOfSinglePacketsAndLittleIsThroughRouters) {
  Model packets;
  EXPECT_FALSE(
      TreeHops(standard_problem(parse_topology("ring(5)"), CollectiveKind::kAllgather, packets)).is_known());
  EXPECT_FALSE(TreeHops(problem_on(parse_topology("ring(5)"), CollectiveKind::kAlltoall)).is_known());
  const TreeHops through_routers(problem_on(parse_topology("clos(4)")));
  EXPECT_EQ(through_routers.in_levels(6), Int128{16 * 15}) << "a router may have it, too, and hands it on";
}

}  // namespace
}  // namespace quadrille
