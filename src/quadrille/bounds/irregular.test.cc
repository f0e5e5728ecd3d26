// Bounds where a network has no structure to go by: bridges, nodes in the middle, thin places, few neighbours.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/exchanges/price_search.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/queries/sparse_cuts.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace {

std::optional<Bound> bound(std::string_view name, const Problem& problem) {
  return bound_catalog().find(name)->evaluate(problem);
}
Problem exchange(std::string_view spec, Model model) {
  return standard_problem(parse_topology(spec), CollectiveKind::kAlltoall, model);
}

// Complete graphs in a row, each joined to the next by one link between two nodes of their own.
Topology chain_of_cliques(uint32_t cliques, uint32_t size) {
  TopologyBuilder builder(fmt::format("{} cliques of {}", cliques, size), cliques * size);
  for (uint32_t c = 0; c < cliques; ++c) {
    for (uint32_t v = 0; v < size; ++v) {
      for (uint32_t w = 0; w < v; ++w) builder.link(NodeId{c * size + v}, NodeId{c * size + w});
    }
    if (c > 0) builder.link(NodeId{(c - 1) * size}, NodeId{c * size + 1});
  }
  return builder.build();
}

TEST(MiddleNode, PassesOnWhatNothingElseJoins) {
  EXPECT_EQ(bound("middle_node", exchange("line(5)", ports(1)))->value, Rational(12));
  EXPECT_EQ(bound("middle_node", exchange("line(16)", ports(1)))->value, Rational(127));
  EXPECT_EQ(bound("middle_node", exchange("tree(2,2,2)", ports(1)))->value, Rational(128));
  EXPECT_EQ(bound("middle_node", exchange("line(5)", ports(1)))->witness,
            "without node 2 the network falls into 2 parts, and it must send 12 blocks through 1 port");
  EXPECT_EQ(best_bound(exchange("line(16)", ports(1))).name, "middle_node");
}

TEST(MiddleNode, IsSilentWhereLinksOrWormsAreThatLimit) {
  EXPECT_FALSE(bound("middle_node", exchange("line(5)", ports(0))).has_value());
  EXPECT_FALSE(bound("middle_node", exchange("ring(5)", ports(1))).has_value());
  EXPECT_FALSE(bound("middle_node", worms_on("line(5)")).has_value());
}

TEST(MiddleNode, CountsEveryCollectiveAsItIs) {
  TopologyBuilder star("star of five", 6);
  for (uint32_t leaf = 1; leaf < 6; ++leaf) star.link(NodeId{0}, NodeId{leaf});
  const Topology net = star.build();
  const auto least = [&](CollectiveKind kind, uint32_t root) {
    return bound("middle_node", standard_problem(net, kind, ports(1), NodeId{root}))->value;
  };
  EXPECT_EQ(least(CollectiveKind::kBroadcast, 1), Rational(4)) << "into every part but the root's";
  EXPECT_EQ(least(CollectiveKind::kScatter, 1), Rational(5)) << "it receives its own block, too";
  EXPECT_EQ(least(CollectiveKind::kReduce, 1), Rational(4));
  EXPECT_EQ(least(CollectiveKind::kAllgather, 0), Rational(25)) << "five blocks into every one of five parts";
  EXPECT_EQ(least(CollectiveKind::kReduceScatter, 0), Rational(25))
      << "from each of five parts something for all";
  EXPECT_EQ(least(CollectiveKind::kAlltoall, 0), Rational(25));
  EXPECT_EQ(least(CollectiveKind::kAllreduce, 0), Rational(5));
}

TEST(WaitingMiddle, CountsTheStepsBeforeAndAfter) {
  // What the node in the middle of a line sends last has half of the line before it: 3n/2 - 1, which flooding takes.
  for (uint32_t n = 5; n < 24; ++n) {
    const Problem line =
        standard_problem(parse_topology(fmt::format("line({})", n)), CollectiveKind::kAllgather, ports(1));
    EXPECT_EQ(bound("waiting_middle", line)->value.ceil(), (3 * int64_t{n} + 1) / 2 - 1) << n;
  }
  const Problem line = standard_problem(parse_topology("line(16)"), CollectiveKind::kAllgather, ports(1));
  EXPECT_EQ(bound("waiting_middle", line)->witness,
            "without node 7 the network falls into 2 parts, and it must send 17 blocks, 1 a step; 6 steps "
            "have none of them before or after");
  EXPECT_EQ(best_bound(line).name, "waiting_middle");
  // A bridge with all ports: one block is at it, and all go a hop beyond.
  const Topology cliques = chain_of_cliques(2, 6);
  EXPECT_EQ(bound("waiting_middle", standard_problem(cliques, CollectiveKind::kAllgather))->value,
            Rational(7));
  EXPECT_EQ(bound("waiting_middle", standard_problem(cliques, CollectiveKind::kReduceScatter))->value,
            Rational(7));
  EXPECT_FALSE(bound("waiting_middle", exchange("ring(5)", ports(1))).has_value());
  EXPECT_FALSE(bound("waiting_middle", worms_on("line(5)")).has_value());
}

// A random tree and up to two more links, some of two lanes, with some routers.
Topology nearly_a_tree(Rng& rng) {
  const auto nodes = static_cast<uint32_t>(3 + rng.below(12));
  TopologyBuilder builder("nearly a tree", nodes);
  for (uint32_t v = 1; v < nodes; ++v) {
    const auto earlier = static_cast<uint32_t>(rng.below(v));
    builder.link(NodeId{v}, NodeId{earlier}, rng.below(4) == 0 ? 2 : 1);
  }
  for (uint64_t more = rng.below(3); more-- > 0;) {
    const auto v = static_cast<uint32_t>(1 + rng.below(nodes - 1));
    builder.link(NodeId{v}, NodeId{static_cast<uint32_t>(rng.below(v))});
  }
  std::vector<NodeId> endpoints{NodeId{0}, NodeId{1}, NodeId{2}};
  for (uint32_t v = 3; v < nodes; ++v)
    if (rng.below(4) != 0) endpoints.push_back(NodeId{v});
  builder.endpoints(endpoints);
  return builder.build();
}

TEST(WaitingMiddle, SaysNoMoreThanItsWitnessProves) {
  Rng rng(11);
  uint32_t says = 0;
  const uint32_t rounds = Sample::whole() ? 60 : 24;
  for (uint32_t round = 0; round < rounds; ++round) {
    const Topology net = nearly_a_tree(rng);
    for (const CollectiveKind kind : kCollectiveKinds) {
      if (kind == CollectiveKind::kAlltoallv) continue;
      for (const uint32_t count : {0U, 1U, 2U}) {
        const Problem problem =
            standard_problem(net, kind, ports(count), net.endpoint(Rank{0}), 1 + (round + count) % 3);
        const std::optional<Bound> found = bound("waiting_middle", problem);
        if (!found) continue;
        ++says;
        ASSERT_GE(proved_by(problem, *found->evidence), found->value)
            << problem.title() << ": " << found->witness;
        const Plan plan = testing::random_plan(problem, rng);
        ASSERT_GE(Rational(static_cast<int64_t>(verify(problem, plan).verdict.figures.steps)), found->value)
            << found->witness;
      }
    }
  }
  EXPECT_GT(says, 10 * rounds);
}

TEST(ThinCut, FindsTheBridge) {
  for (const auto& [cliques, size] : {std::pair{2U, 7U}, {3U, 5U}, {4U, 9U}}) {
    const Problem p = standard_problem(chain_of_cliques(cliques, size), CollectiveKind::kAlltoall);
    const int64_t left = int64_t{cliques / 2} * size;
    EXPECT_EQ(bound("thin_cut", p)->value, Rational(left * (int64_t{cliques} * size - left)));
  }
}

TEST(ThinCut, FindsWhatFaultsLeaveOfATorus) {
  // A torus of which one link of the middle cut has failed: N n / 8 over 31 links and not 32.
  const Topology whole = parse_topology("torus(16,16)");
  TopologyBuilder builder("torus with a fault", 256);
  for (const ArcId arc : whole.arcs()) {
    const NodeId low = std::min(whole.tail(arc), whole.head(arc));
    const NodeId high = std::max(whole.tail(arc), whole.head(arc));
    if (low != NodeId{37} || high != NodeId{38}) builder.arc(whole.tail(arc), whole.head(arc));
  }
  const Problem p = standard_problem(builder.build(), CollectiveKind::kAlltoall);
  EXPECT_EQ(bound("thin_cut", p)->value, Rational::of(128 * 128, 31));
}

TEST(ThinCut, IsSearchedForEveryCollective) {
  const Topology net = chain_of_cliques(2, 6);
  const auto least = [&](CollectiveKind kind) {
    return bound("thin_cut", standard_problem(net, kind, {}, NodeId{0}))->value;
  };
  EXPECT_EQ(least(CollectiveKind::kBroadcast), Rational(1));
  EXPECT_EQ(least(CollectiveKind::kScatter), Rational(6));
  EXPECT_EQ(least(CollectiveKind::kGather), Rational(6));
  EXPECT_EQ(least(CollectiveKind::kAllgather), Rational(6));
  EXPECT_EQ(least(CollectiveKind::kReduceScatter), Rational(6));
  EXPECT_EQ(least(CollectiveKind::kAlltoall), Rational(36));
  EXPECT_EQ(least(CollectiveKind::kAllreduce), Rational(1));
}

TEST(ThinCut, IsTheSameEveryTime) {
  Rng rng(3);
  const Topology net = testing::random_topology(rng, 40, true);
  const Problem p = standard_problem(net, CollectiveKind::kAlltoall);
  EXPECT_EQ(bound("thin_cut", p)->evidence, bound("thin_cut", p)->evidence);
}

TEST(SendsBeforeReceptions, CountTheStepsInWhichBlocksAreOnTheirWay) {
  // 71 blocks over one link, of 4.42 hops on average.
  const Problem dragonfly = exchange("dragonfly(2,4,2)", ports(0));
  const std::optional<Bound> hosts = bound("sends_before_receptions", dragonfly);
  EXPECT_EQ(hosts->value, Rational::of(5276, 71));
  EXPECT_EQ(proved_by(dragonfly, *hosts->evidence), hosts->value);
  EXPECT_FALSE(bound("sends_before_receptions", exchange("torus(4,4)", ports(0))).has_value());
  EXPECT_FALSE(bound("sends_before_receptions", exchange("fat_tree(2^3)", ports(0))).has_value())
      << "fat_tree_leaf_times says the same";
}

TEST(StarvedRouters, MissSomethingAtEitherEnd) {
  EXPECT_EQ(
      bound("starved_routers", exchange("edges(\"s a, s b, s c, s d, s e\";\"switches s\")", {}))->value,
      Rational(5));
  EXPECT_FALSE(bound("starved_routers", exchange("mesh(3,4)", {})).has_value());
  const Problem hosts = exchange("jellyfish(16,5,3;2)", ports(0));
  const std::optional<Bound> bound_of_hosts = bound("starved_routers", hosts);
  EXPECT_EQ(bound_of_hosts->value.ceil(), 54) << "52 by cuts, 52 by weights alone";
  EXPECT_EQ(proved_by(hosts, *bound_of_hosts->evidence), bound_of_hosts->value);
}

TEST(RoutersInform, SaysWhatItsWitnessProves) {
  uint32_t says = 0;
  for (const char* const spec :
       {"gpu_box(16,4)", "gpu_box(9,1)", "clos(4)", "dragonfly(2,3,1)", "fat_tree(2^3)"}) {
    const Topology net = parse_topology(spec);
    for (const CollectiveKind kind :
         {CollectiveKind::kBroadcast, CollectiveKind::kGather, CollectiveKind::kReduce,
          CollectiveKind::kAllgather, CollectiveKind::kAllreduce}) {
      for (const uint32_t count : {0U, 1U, 2U}) {
        const Problem problem = standard_problem(net, kind, ports(count), net.endpoint(Rank{0}));
        const std::optional<Bound> found = bound("routers_inform", problem);
        if (!found) continue;
        ++says;
        EXPECT_GE(proved_by(problem, *found->evidence), found->value)
            << problem.title() << ", " << found->witness;
      }
    }
  }
  EXPECT_GE(says, 60U);
}

TEST(UsefulSends, AreThoseOfNodesThatCanPassPiecesOn) {
  const auto least = [](const Topology& net, CollectiveKind kind, uint32_t count, uint32_t pieces) {
    const Problem problem = standard_problem(net, kind, ports(count), NodeId{0}, pieces);
    const std::optional<Bound> found = bound("useful_sends", problem);
    EXPECT_EQ(proved_by(problem, *found->evidence), found->value) << "the same, added up otherwise";
    return found->value.ceil();
  };
  // A hub with five arms: one to it, and P to each of the four others.
  const Topology arms = parse_topology("edges(\"s a, s b, s c, s d, s e\";\"switches s\")");
  for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce}) {
    EXPECT_EQ(least(arms, kind, 1, 1), 5);
    EXPECT_EQ(least(arms, kind, 1, 10), 41);
    EXPECT_EQ(least(arms, kind, 2, 10), 21);
    // 31 hosts and 16 switches have 32 pieces to hear of, and the switches alone pass them on.
    EXPECT_EQ(least(parse_topology("jellyfish(16,4,2;1)"), kind, 1, 32), 96);
    EXPECT_EQ(least(parse_topology("dragonfly(2,4,2)"), kind, 1, 32), 99);
  }
  // Every block to all others and to all switches, from the switches but for each host's own.
  for (const CollectiveKind kind : {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
    EXPECT_EQ(least(arms, kind, 1, 1), 21);
    EXPECT_EQ(least(parse_topology("jellyfish(8,4,2;1)"), kind, 1, 1), 45);
    EXPECT_EQ(least(parse_topology("dragonfly(2,4,2)"), kind, 2, 1), 107);
  }
  EXPECT_FALSE(bound("useful_sends", exchange("mesh(3,4)", ports(1))).has_value());
}

TEST(WeightedPaths, SeeManyNodesAtOnce) {
  // No node and no cut says more than 336, the average status.
  const Bound mesh = *bound("weighted_paths", exchange("mesh(8,8)", ports(1)));
  EXPECT_GE(mesh.value.ceil(), 350);
  EXPECT_LE(mesh.value.ceil(), 352) << "a choice of paths is known that loads no port more";
}

// Everything goes over one of the fewer nodes on the one side: 6,220 transfers into those 30, or out of them, and no more than 60 a step.
TEST(WeightedPaths, WeighTheSmallerSideOfANetworkOfTwo) {
  TopologyBuilder builder("two sides", 65);
  for (uint32_t v = 0; v < 30; ++v)
    for (uint32_t w = 30; w < 65; ++w) builder.link(NodeId{v}, NodeId{w});
  const Problem problem = standard_problem(builder.build(), CollectiveKind::kAlltoall, ports(1));
  EXPECT_EQ(bound("average_status", problem)->value.ceil(), 96);
  EXPECT_EQ(bound("weighted_paths", problem)->value, Rational::of(6220, 60));
}

TEST(WeightedPaths, WeighLinksOfHostsAgainstThoseOfSwitches) {
  // One switch: every host sends four blocks over its link.
  EXPECT_EQ(bound("weighted_paths", exchange("edges(\"s a, s b, s c, s d, s e\";\"switches s\")", {}))->value,
            Rational(4));
  // Two hosts on each of four switches in a ring: links of hosts carry 7 blocks each way, those between switches 8.
  EXPECT_EQ(
      bound(
          "weighted_paths",
          exchange(
              "edges(\"s0 s1, s1 s2, s2 s3, s3 s0, a0 s0, a1 s1, a2 s2, a3 s3, b0 s0, b1 s1, b2 s2, b3 s3\";\"switches s*\")",
              {}))
          ->value.ceil(),
      8);
}

TEST(WeightedPaths, OfPiecesCountEach) {
  const auto least = [](uint32_t pieces) {
    return bound("weighted_paths", standard_problem(parse_topology("mesh(3,4)"), CollectiveKind::kAlltoall,
                                                    ports(1), kNoNode, pieces))
        ->value;
  };
  EXPECT_EQ(least(3), least(1) * Rational(3));
}

// A mesh without a link: weights rise late, and not to what the cut of the whole mesh says.
TEST(WeightedPaths, AreGivenUpBelowACut) {
  const Problem mesh = exchange("without(mesh(12,12);\"link (3,3) (3,4)\")", {});
  const Rational cut = bound("structured_cut", mesh)->value;
  const Rational rising = priced_exchange(mesh, false)->steps;
  const Rational first = priced_exchange(mesh, false, cut)->steps;
  EXPECT_LT(first, rising);
  EXPECT_LE(rising, cut);
  EXPECT_EQ(bound("weighted_paths", mesh)->value, first);
  // Below nothing, and on small networks, they are not.
  EXPECT_EQ(priced_exchange(mesh, false, first)->steps, rising);
  const Problem small = exchange("without(mesh(8,8);\"link (3,3) (3,4)\")", {});
  EXPECT_EQ(priced_exchange(small, false, Rational(1'000'000))->steps, priced_exchange(small, false)->steps);
}

TEST(BoundedDegree, IsTheRecursionWithLimitedHistory) {
  // Every node has three neighbours: a ring with a chord at each. The root informs three, the others two: at most
  // 1, 2, 4, 8, 14, 24, 40, 66 are informed, where doubling has 64 informed after six steps.
  Rng rng(2);
  size_t spoke = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<uint32_t> ends;
    for (uint32_t v = 0; v < 42; ++v) ends.push_back(v);
    rng.shuffle(ends);
    TopologyBuilder cubic("ring with chords", 42);
    for (uint32_t v = 0; v < 42; ++v) cubic.link(NodeId{v}, NodeId{(v + 1) % 42});
    for (uint32_t i = 0; i < 42; i += 2) {
      const uint32_t apart = ends[i] > ends[i + 1] ? ends[i] - ends[i + 1] : ends[i + 1] - ends[i];
      if (apart > 1 && apart < 41) cubic.link(NodeId{ends[i]}, NodeId{ends[i + 1]});
    }
    const Topology net = cubic.build();
    const auto least = bound("bounded_degree", standard_problem(net, CollectiveKind::kBroadcast, ports(1)));
    EXPECT_FALSE(
        bound("bounded_degree", standard_problem(net, CollectiveKind::kAlltoall, ports(1))).has_value());
    if (!least) continue;
    EXPECT_GE(least->value, Rational(7));
    ++spoke;
  }
  EXPECT_GT(spoke, 0U);
  const Problem cube = standard_problem(parse_topology("hypercube(4)"), CollectiveKind::kBroadcast, ports(1));
  EXPECT_FALSE(bound("bounded_degree", cube).has_value())
      << "with four neighbours nobody runs out in four steps";
}

// Every card that applies, on networks of no structure: no plan is below any bound.
TEST(IrregularBounds, AreBelowThePlanOfEveryCard) {
  Rng rng(41);
  size_t plans = 0;
  size_t optimal = 0;
  for (int round = 0; round < 40; ++round) {
    const auto nodes = 6 + static_cast<uint32_t>(rng.below(12));
    const Topology net = testing::random_topology(rng, nodes, rng.below(3) == 0);
    for (const CollectiveKind kind : kCollectiveKinds) {
      Model model = ports(static_cast<uint32_t>(rng.below(2)));
      if (rng.below(4) == 0) model.duplex = Duplex::kHalf;
      const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
      const Problem problem = standard_problem(net, kind, model, root);
      const std::vector<Bound> bounds = all_bounds(problem);
      for (const Algorithm* card : algorithm_catalog()) {
        if (card->collective != kind) continue;
        const Preparation ready = prepare(*card, problem);
        if (!ready.fits.applies) continue;
        Judge judge(problem);
        cheapest(ready.plans)->generate(judge);
        const Verdict verdict = judge.finish();
        ASSERT_TRUE(verdict.passed()) << card->name;
        for (const Bound& b : bounds) {
          const uint64_t measured =
              b.on == BoundOn::kSteps ? verdict.figures.steps : verdict.figures.critical_blocks;
          EXPECT_GE(static_cast<int64_t>(measured), b.value.ceil())
              << card->name << " on " << problem.title() << ", " << describe(model) << ": " << b.name << ", "
              << b.witness;
        }
        ++plans;
        optimal += static_cast<int64_t>(verdict.figures.steps) == best_of(bounds).value.ceil() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(plans, 300U);
  EXPECT_GT(optimal, plans / 4) << "bounds that never bind would pass, too";
}

TEST(NodeLevels, WhatIsFarComesLate) {
  const auto levels = [](std::string_view spec, CollectiveKind kind, Ports ports = kAllPorts) {
    const Problem problem =
        standard_problem(parse_topology(spec), kind, Model{.send = ports, .receive = ports});
    const std::optional<Bound> bound = bound_catalog().find("node_levels")->evaluate(problem);
    if (!bound) return Rational(0);
    EXPECT_GE(proved_by(problem, *bound->evidence), bound->value) << spec;
    return bound->value;
  };
  // Hosts hang on one link each: four blocks are six hops away, and come one by one.
  for (const CollectiveKind kind :
       {CollectiveKind::kAllgather, CollectiveKind::kReduceScatter, CollectiveKind::kAlltoall,
        CollectiveKind::kScatter, CollectiveKind::kGather})
    EXPECT_EQ(levels("fat_tree(2^3;constant)", kind), Rational(9));
  EXPECT_EQ(levels("fat_tree(2^3;constant)", CollectiveKind::kBroadcast), Rational(0));
  EXPECT_EQ(levels("ring(6)", CollectiveKind::kAllgather), Rational::of(5, 2));
  EXPECT_EQ(levels("torus(4,4)", CollectiveKind::kAllgather, kOnePort), Rational(15));
}

// A circle with a few links across: their prices are far from those of all others, and take long to find. (In three hundred
// rounds: 242.)
TEST(WeightedPaths, GoOnWhileTheyRise) {
  constexpr uint32_t kNodes = 120;
  TopologyBuilder builder("a circle with links across", kNodes);
  for (uint32_t v = 0; v < kNodes; ++v)
    for (uint32_t jump = 1; jump <= 3; ++jump) builder.link(NodeId{v}, NodeId{(v + jump) % kNodes});
  for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{
           {0, 40}, {53, 76}, {39, 78}, {92, 118}, {25, 52}, {78, 17}, {11, 86}, {64, 100}})
    builder.link(NodeId{a}, NodeId{b});
  const Problem p = standard_problem(builder.build(), CollectiveKind::kAlltoall);
  const std::optional<Bound> found = bound("weighted_paths", p);
  ASSERT_TRUE(found.has_value());
  EXPECT_GE(found->value.ceil(), 246);
  EXPECT_GE(proved_by(p, *found->evidence), found->value);
}

}  // namespace
}  // namespace quadrille
