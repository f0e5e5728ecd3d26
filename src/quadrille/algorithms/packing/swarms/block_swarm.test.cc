#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_swarm;
extern const Algorithm alltoall_cayley_ports;
extern const Algorithm broadcast_ports_search;
extern const Algorithm broadcast_swarm;
extern const Algorithm reduce_swarm;
extern const Algorithm allgather_wide_swarm;
extern const Algorithm reduce_scatter_swarm;
extern const Algorithm reduce_scatter_wide_swarm;
extern const Algorithm allreduce_swarm;
extern const Algorithm allreduce_wide_swarm;
}  // namespace algorithms

namespace block_swarm_test {

Problem with_few(std::string_view spec, CollectiveKind kind, uint32_t count, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, ports(count), NodeId{0}, pieces);
}

TEST(BlockSwarm, TakesNoFewerStepsThanAnyAllgather) {
  for (const char* spec : {"mesh(3,5)", "torus(4,4)", "generalized_petersen(5,2)", "clos(4)"}) {
    for (const uint32_t count : {1U, 2U}) {
      for (const uint32_t pieces : {1U, 2U}) {
        const Problem problem = with_few(spec, CollectiveKind::kAllgather, count, pieces);
        const uint64_t least = swarm_at_least(problem);
        EXPECT_LE(least, judged_steps(algorithms::allgather_swarm, problem)) << spec;
        EXPECT_GE(least, pieces * (problem.collective().num_ranks() - 1) / count) << spec;
      }
    }
  }
}

TEST(BlockSwarm, TriesEndSoonWhereNobodyWantsTheirTimeAndAreNotKeptForOthers) {
  size_t unwanted = 0;
  size_t wanted = 0;
  for (uint32_t pieces = 6; pieces <= 16; ++pieces) {
    const Problem problem = with_few("random_regular(16,3;1)", CollectiveKind::kBroadcast, 2, pieces);
    const uint64_t least = swarm_at_least(problem);
    {
      // A tenth of the steps that it takes at least.
      const WorthMaking limit(UINT64_MAX, false, {static_cast<double>(least) / 10, 1, 0});
      unwanted += swarm_blocks(problem, least).num_steps();
    }
    // Where it is wanted the limit changes nothing.
    const WorthMaking any(UINT64_MAX, false, {1e9, 1, 0});
    wanted += swarm_blocks(problem, least).num_steps();
  }
  EXPECT_GT(unwanted, wanted);
}

TEST(BlockSwarm, IsAtTheBoundOfTheBusiestNode) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t steps;
  };
  for (const Row& row :
       {Row{"mesh(3,5)", 0, 7}, Row{"generalized_petersen(5,2)", 1, 9},
        Row{"generalized_petersen(5,2)", 2, 5}, Row{"torus(4,4)", 0, 4}, Row{"ring(7)", 0, 3}}) {
    EXPECT_LE(
        judged_steps(algorithms::allgather_swarm, with_few(row.spec, CollectiveKind::kAllgather, row.ports)),
        row.steps)
        << row.spec << ' ' << row.ports;
  }
  // Seven nodes of the mesh are all that the other eight hear from.
  EXPECT_LE(judged_steps(algorithms::allgather_swarm, with_few("mesh(3,5)", CollectiveKind::kAllgather, 1)),
            16U);
}

// A plan for full duplex, parted, takes 12 and 11 steps on the first meshes; with few ports links that are turned before senders are
// matched take 18, 23 and 28 in the last three.
TEST(BlockSwarm, TurnsLinksOfHalfDuplex) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t steps;
  };
  for (const Row& row : {Row{"mesh(4,4)", 0, 11}, Row{"mesh(3,5)", 0, 10}, Row{"torus(4,4)", 0, 8},
                         Row{"torus(3,4)", 1, 13}, Row{"clos(4)", 0, 18}, Row{"mesh(3,5)", 1, 16},
                         Row{"torus(6,6)", 2, 20}, Row{"slim_fly(5)", 2, 26}}) {
    Model model = ports(row.ports);
    model.duplex = Duplex::kHalf;
    const Topology net = parse_topology(row.spec);
    const Problem allgather = standard_problem(net, CollectiveKind::kAllgather, model);
    EXPECT_LE(judged_steps(algorithms::allgather_swarm, allgather), row.steps) << row.spec;
    const Problem reduce_scatter = standard_problem(net, CollectiveKind::kReduceScatter, model);
    EXPECT_LE(judged_steps(algorithms::reduce_scatter_swarm, reduce_scatter), row.steps) << row.spec;
  }
}

TEST(BlockSwarm, ServesPieces) {
  for (const std::string_view spec : {"generalized_petersen(5,2)", "mesh(2,3)", "star(3)", "line(4)"}) {
    for (const uint32_t count : {1U, 2U, 0U}) {
      const Problem problem = with_few(spec, CollectiveKind::kAllgather, count, 2);
      EXPECT_GE(judged_steps(algorithms::allgather_swarm, problem),
                static_cast<uint64_t>(best_bound(problem).value.ceil()))
          << spec;
    }
  }
}

TEST(BlockSwarm, StreamsABroadcastWithFewPorts) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint32_t pieces;
    uint64_t most;  // steps
  };
  // Down one tree they take 80, 33, 161 and 53.
  for (const Row& row : {Row{"random_regular(64,4;1)", 1, 32, 41}, Row{"random_regular(64,4;1)", 1, 8, 15},
                         Row{"jellyfish(16,4,2;1)", 1, 32, 98}, Row{"dragonfly(2,4,2)", 1, 8, 32},
                         Row{"torus(8,8)", 2, 16, 16}, Row{"clos(8)", 1, 1, 13}}) {
    const Problem down = with_few(row.spec, CollectiveKind::kBroadcast, row.ports, row.pieces);
    EXPECT_LE(judged_steps(algorithms::broadcast_swarm, down), row.most) << row.spec;
    const Problem up = with_few(row.spec, CollectiveKind::kReduce, row.ports, row.pieces);
    EXPECT_LE(judged_steps(algorithms::reduce_swarm, up), row.most + 1) << row.spec;
  }
}

// Where a node hangs by one link a stream down trees goes to all as slowly as to that one: it takes 21 steps.
TEST(BlockSwarm, StreamsToEachNodeAsFastAsItsLinksAllow) {
  const std::string_view spec =
      "without(torus(6,6);\"link 35 34\",\"link 35 30\",\"link 35 29\",\"link 3 4\")";
  const Problem down = with_few(spec, CollectiveKind::kBroadcast, 0, 16);
  EXPECT_EQ(judged_steps(algorithms::broadcast_swarm, down), 17U);
  EXPECT_EQ(best_bound(down).value.ceil(), 17);
  const Problem up = with_few(spec, CollectiveKind::kReduce, 0, 16);
  EXPECT_EQ(judged_steps(algorithms::reduce_swarm, up), 17U);
}

// Plans for full duplex, parted, take 16 and 25, 18 and 27, 9 and 14 steps.
TEST(BlockSwarm, StreamsOverLinksOfHalfDuplex) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t broadcast;
    uint64_t allreduce;
  };
  for (const Row& row :
       {Row{"slim_fly(5)", 1, 14, 20}, Row{"torus(6,6)", 1, 15, 23}, Row{"torus(6,6)", 0, 8, 12}}) {
    Model model = ports(row.ports);
    model.duplex = Duplex::kHalf;
    const auto steps = [&](CollectiveKind kind, const Algorithm& card) {
      return judged_steps(card, standard_problem(parse_topology(row.spec), kind, model, NodeId{0}, 8));
    };
    EXPECT_LE(steps(CollectiveKind::kBroadcast, algorithms::broadcast_swarm), row.broadcast) << row.spec;
    EXPECT_LE(steps(CollectiveKind::kReduce, algorithms::reduce_swarm), row.broadcast + 1) << row.spec;
    EXPECT_LE(steps(CollectiveKind::kAllreduce, algorithms::allreduce_swarm), row.allreduce) << row.spec;
  }
}

// A plan for both ways at once, which goes down trees, is parted, too: what flows out of a root hardly ever meets on a link.
TEST(BlockSwarm, GoesDownTreesThroughRoutersOverLinksOfHalfDuplex) {
  Model model = ports(1);
  model.duplex = Duplex::kHalf;
  const Problem half = standard_problem(parse_topology("jellyfish(16,4,2;1)"), CollectiveKind::kBroadcast,
                                        model, NodeId{0}, 8);
  const uint64_t both_ways = judged_steps(algorithms::broadcast_swarm,
                                          with_few("jellyfish(16,4,2;1)", CollectiveKind::kBroadcast, 1, 8));
  EXPECT_LE(judged_steps(algorithms::broadcast_swarm, half), both_ways + both_ways / 8);
}

// In the order of what they lack alone the pieces take 113 steps, since many of the clique have nothing to send that others lack.
TEST(BlockSwarm, LetsThoseHearFirstWhoHaveNothingToSend) {
  TopologyBuilder lollipop("lollipop", 54);
  for (uint32_t a = 0; a < 30; ++a)
    for (uint32_t b = 0; b < a; ++b) lollipop.link(NodeId{a}, NodeId{b});
  for (uint32_t a = 29; a + 1 < 54; ++a) lollipop.link(NodeId{a}, NodeId{a + 1});
  const Problem stream =
      standard_problem(lollipop.build(), CollectiveKind::kBroadcast, ports(1), NodeId{0}, 64);
  const uint64_t steps = judged_steps(algorithms::broadcast_swarm, stream);
  EXPECT_LE(steps, 94U);
  EXPECT_GE(steps, static_cast<uint64_t>(best_bound(stream).value.ceil()));
}

// With so many pieces a node looks at some of them alone.
TEST(BlockSwarm, StreamsThousandsOfPieces) {
  for (const std::string_view spec : {"mesh(8,8)", "random_regular(64,4;1)"}) {
    const Problem few = with_few(spec, CollectiveKind::kBroadcast, 1, 1'000);
    const Problem many = with_few(spec, CollectiveKind::kBroadcast, 1, 3'000);
    EXPECT_LT(stream_looks(many), 3 * stream_looks(few));
    EXPECT_LE(static_cast<double>(judged_steps(algorithms::broadcast_swarm, many)),
              1.03 * static_cast<double>(swarm_at_least(many)))
        << spec;
  }
  EXPECT_TRUE(algorithms::broadcast_swarm.applies(with_few("mesh(32,32)", CollectiveKind::kBroadcast, 2, 512))
                  .applies);
}

TEST(BlockSwarm, AddsUpAsManyPiecesAsThereAre) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint32_t pieces;
    uint64_t most;  // steps
  };
  // 256 pieces are no multiple of the ranks; flooding takes 958, 120 and 239 steps.
  for (const Row& row : {Row{"slim_fly(7)", 1, 256, 508}, Row{"random_regular(100,5;3)", 0, 256, 102},
                         Row{"kautz(3,4)", 0, 256, 170}, Row{"mesh(3,4)", 2, 5, 14},
                         Row{"jellyfish(8,4,2;1)", 1, 16, 94}, Row{"generalized_kautz(10,2)", 1, 7, 20}}) {
    const Problem problem = with_few(row.spec, CollectiveKind::kAllreduce, row.ports, row.pieces);
    EXPECT_LE(judged_steps(algorithms::allreduce_swarm, problem), row.most) << row.spec;
  }
}

TEST(BlockSwarm, TakesNoFewerStepsThanAnyBroadcast) {
  for (const char* spec : {"mesh(3,5)", "generalized_petersen(5,2)", "clos(4)", "kautz(2,3)", "line(5)"}) {
    for (const uint32_t count : {1U, 2U}) {
      for (const uint32_t pieces : {2U, 5U, 9U}) {
        const Problem problem = with_few(spec, CollectiveKind::kBroadcast, count, pieces);
        EXPECT_LE(swarm_at_least(problem), judged_steps(algorithms::broadcast_swarm, problem)) << spec;
        EXPECT_LE(static_cast<uint64_t>(best_bound(problem).value.ceil()),
                  judged_steps(algorithms::broadcast_swarm, problem))
            << spec;
      }
    }
  }
}

TEST(CayleyPorts, KeepAllPortsBusyToTheEnd) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t steps;
  };
  for (const Row& row : {Row{"hypercube(4)", 2, 16}, Row{"hypercube(4)", 3, 11}, Row{"star(4)", 2, 31},
                         Row{"cube_connected_cycles(3)", 2, 37}, Row{"butterfly(3)", 2, 28},
                         Row{"circulant(16;1,4)", 2, 15}}) {
    EXPECT_EQ(judged_steps(algorithms::alltoall_cayley_ports,
                           with_few(row.spec, CollectiveKind::kAlltoall, row.ports)),
              row.steps)
        << row.spec << ' ' << row.ports;
  }
  EXPECT_EQ(judged_steps(algorithms::alltoall_cayley_ports,
                         with_few("hypercube(3)", CollectiveKind::kAlltoall, 2, 3)),
            18U);
}

TEST(BroadcastPortsSearch, FindsWhatTreesOfShortestWaysMiss) {
  struct Row {
    std::string_view spec;
    uint32_t ports;
    uint64_t steps;
  };
  for (const Row& row : {Row{"circulant(16;1,4)", 2, 3}, Row{"torus(4,4)", 3, 4}, Row{"fat_tree(4,4)", 1, 9},
                         Row{"line(5)", 2, 4}}) {
    EXPECT_LE(judged_steps(algorithms::broadcast_ports_search,
                           with_few(row.spec, CollectiveKind::kBroadcast, row.ports)),
              row.steps)
        << row.spec << ' ' << row.ports;
  }
}

// Two crowds of eight with one way between them over four nodes, who have no time for what could come otherwise: each of them
// sends 20 blocks, and the first has nothing for the other crowd until it has heard of something.
TEST(BlockSwarm, GatesSendWhatMustGoThroughThem) {
  std::string links = "a1 b1, b1 b2, b2 b3, b3 b4, b4 c1";
  for (const char crowd : {'a', 'c'})
    for (int i = 1; i <= 8; ++i)
      for (int j = i + 1; j <= 8; ++j) links += fmt::format(", {0}{1} {0}{2}", crowd, i, j);
  const Problem problem =
      standard_problem(parse_topology("edges(\"" + links + "\")"), CollectiveKind::kAllgather, ports(1));
  EXPECT_LE(judged_steps(algorithms::allgather_swarm, problem), 25U);  // before, 28
}

// Every switch is a gate to its hosts, and whatever begins at others has to go on through some of them all the same.
TEST(BlockSwarm, GatesPassOnWhatCanComeInNoOtherWay) {
  for (const std::string_view spec : {"jellyfish(8,3,2;1)", "jellyfish(6,2,4;1)", "dragonfly(2,2,1)"}) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kAllgather, ports(1));
    EXPECT_GT(judged_steps(algorithms::allgather_swarm, problem), 0U) << spec;
  }
}

Problem all_ports(std::string_view spec, CollectiveKind kind, uint32_t pieces = 1) {
  return standard_problem(parse_topology(spec), kind, ports(0), NodeId{0}, pieces);
}

// Nodes in a square of 1,000 by 1,000, linked where they are near each other; each to the nearest that came before, too.
Topology near_each_other(uint32_t nodes, int64_t radius, uint64_t seed) {
  Rng rng(seed);
  std::vector<std::pair<int64_t, int64_t>> at(nodes);
  TopologyBuilder builder("near each other", nodes);
  for (uint32_t v = 0; v < nodes; ++v) {
    at[v] = {static_cast<int64_t>(rng.below(1000)), static_cast<int64_t>(rng.below(1000))};
    const auto square = [&](uint32_t u) {
      const int64_t x = at[u].first - at[v].first;
      const int64_t y = at[u].second - at[v].second;
      return x * x + y * y;
    };
    std::vector<uint32_t> before(v);
    std::iota(before.begin(), before.end(), 0U);
    std::ranges::stable_sort(before, {}, square);
    for (size_t i = 0; i < before.size(); ++i)
      if (i < 1 || square(before[i]) <= radius * radius) builder.link(NodeId{before[i]}, NodeId{v});
  }
  return builder.build();
}

TEST(BlockSwarm, TakesNoMoreStepsWithAllPortsThanWithAsManyAsLinks) {
  const Topology net = near_each_other(100, 150, 100);
  uint32_t most = 0;
  for (const NodeId v : net.nodes()) most = std::max(most, net.out_degree(v));
  const auto steps = [&](Ports ports) {
    Model model;
    model.send = model.receive = ports;
    return judged_steps(algorithms::allgather_swarm,
                        standard_problem(net, CollectiveKind::kAllgather, model));
  };
  EXPECT_LE(steps(kAllPorts), steps(Ports{most}));
}

TEST(WideSwarm, IsAtTheBoundWhereAllNodesHaveAsManyLinks) {
  for (const std::string_view spec :
       {"random_regular(64,4;1)", "random_regular(65,4;2)", "generalized_petersen(70,3)", "slim_fly(5)",
        "dragonfly(0,6,2)", "without(torus(8,8);\"link (0,0) (0,1)\")"}) {
    const Problem problem = all_ports(spec, CollectiveKind::kAllgather);
    EXPECT_EQ(judged_steps(algorithms::allgather_wide_swarm, problem),
              static_cast<uint64_t>(best_bound(problem).value.ceil()))
        << spec;
  }
}

TEST(WideSwarm, SendsNothingToARouterThatNobodyNeeds) {
  const Problem problem = all_ports("jellyfish(12,4,2;1)", CollectiveKind::kAllgather);
  EXPECT_EQ(judged_steps(algorithms::allgather_wide_swarm, problem),
            static_cast<uint64_t>(best_bound(problem).value.ceil()));
}

TEST(WideSwarm, BackwardsIsAReduceScatterAndBothWaysAnAllreduce) {
  const std::string_view spec = "random_regular(64,4;1)";
  EXPECT_EQ(
      judged_steps(algorithms::reduce_scatter_wide_swarm, all_ports(spec, CollectiveKind::kReduceScatter)),
      16U);
  EXPECT_EQ(judged_steps(algorithms::allreduce_wide_swarm, all_ports(spec, CollectiveKind::kAllreduce, 64)),
            32U);
  EXPECT_FALSE(
      algorithms::allreduce_wide_swarm.applies(all_ports(spec, CollectiveKind::kAllreduce, 63)).applies);
}

// Most nodes of a large network are near the root.
TEST(BlockSwarm, ServesStreamsOnThousandsOfNodes) {
  for (const std::string spec : {"random_regular(5000,6;1)", "torus(64,128)"}) {
    const Problem problem =
        standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, ports(2), NodeId{0}, 64);
    EXPECT_TRUE(algorithms::broadcast_swarm.applies(problem).applies) << spec;
  }
}

TEST(WideSwarm, MakesTheSamePlanAgain) {
  // Of so many nodes that threads share the work.
  const Problem problem = all_ports("random_regular(150,3;7)", CollectiveKind::kAllgather);
  Plan plan;
  algorithms::allgather_wide_swarm.plan_for(problem)->generate(plan);
  Plan again;
  algorithms::allgather_wide_swarm.plan_for(problem)->generate(again);
  EXPECT_TRUE(plan == again);
  EXPECT_LE(plan.num_steps(), 55U);  // 50 is the bound
}

TEST(WideSwarm, IsNotMadeWhereFewerStepsAreKnown) {
  const Problem problem = all_ports("random_regular(64,4;1)", CollectiveKind::kAllgather);
  const PreparedPlan plan = algorithms::allgather_wide_swarm.plan_for(problem);
  {
    const WorthMaking wanted(16);
    EXPECT_FALSE(plan->prediction().steps.has_value());
  }
  Plan made;
  plan->generate(made);
  EXPECT_EQ(made.num_steps(), 16U);
}

}  // namespace block_swarm_test
}  // namespace quadrille
