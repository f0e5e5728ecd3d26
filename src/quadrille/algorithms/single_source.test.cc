// One source: the trees of extended rings and tori, the grown ones, and the exact scatter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/balanced_tree.h"
#include "quadrille/algorithms/trees/extended_ring_tree.h"
#include "quadrille/algorithms/trees/level_balanced_tree.h"
#include "quadrille/algorithms/trees/scattering/just_in_time.h"
#include "quadrille/algorithms/trees/scattering/quickest_scatter.h"
#include "quadrille/algorithms/trees/torus_tree.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_extended_ring;
extern const Algorithm gather_balanced_tree;
extern const Algorithm gather_extended_ring;
extern const Algorithm gather_flow;
extern const Algorithm gather_product_tree;
extern const Algorithm gather_torus;
extern const Algorithm scatter_balanced_tree;
extern const Algorithm scatter_extended_ring;
extern const Algorithm scatter_fat_tree;
extern const Algorithm scatter_flow;
extern const Algorithm scatter_furthest_first;
extern const Algorithm scatter_product_tree;
extern const Algorithm scatter_torus;
}  // namespace algorithms

namespace single_source_test {

// The size of the largest subtree of a child of the root; every node is in the tree once.
uint32_t largest_branch(const Topology& topology, const SpanningTree& tree) {
  EXPECT_EQ(tree.order.size(), topology.num_nodes());
  std::vector<uint32_t> size(topology.num_nodes(), 1);
  uint32_t largest = 0;
  for (size_t i = tree.order.size(); i-- > 1;) {
    const NodeId v = tree.order[i];
    const NodeId parent = topology.tail(tree.arc[index(v)]);
    EXPECT_EQ(topology.head(tree.arc[index(v)]), v);
    if (parent == tree.root) {
      largest = std::max(largest, size[index(v)]);
    } else {
      size[index(parent)] += size[index(v)];
    }
  }
  return largest;
}

uint32_t height(const SpanningTree& tree) { return *std::max_element(tree.depth.begin(), tree.depth.end()); }

uint32_t even_share(const Topology& topology, NodeId root) {
  const uint32_t degree = topology.out_degree(root);
  return degree == 0 ? 0 : (topology.num_nodes() - 1 + degree - 1) / degree;
}

uint64_t judged_steps(const Algorithm& card, const Topology& topology, uint32_t count,
                      NodeId root = NodeId{0}) {
  return judged_steps(card, standard_problem(topology, card.collective, ports(count), root));
}

// --- extended rings -------------------------------------------------------------------------------------

TEST(ExtendedRingTree, InformsEveryNodeOnceInTheDiameterOverEvenPaths) {
  for (uint32_t n = 1; n < 40; ++n) {
    for (uint32_t rho = n == 1 ? 0 : 1; rho <= n / 2; ++rho) {
      const Topology ring = parse_topology(fmt::format("extended_ring({},{})", n, rho));
      const NodeId root{n / 3};
      const SpanningTree tree = extended_ring_tree(ring, root);
      EXPECT_EQ(height(tree), eccentricity(ring, root)) << ring.name();
      EXPECT_LE(largest_branch(ring, tree), even_share(ring, root)) << ring.name();
    }
  }
}

TEST(ExtendedRingTree, FollowsTheWeights) {
  const ExtendedRing ring{14, 2};
  EXPECT_EQ(first_sends(ring), (std::vector<WeightedSend>{{1, 4}, {2, 4}, {-1, 3}, {-2, 2}}));
  EXPECT_EQ(next_send(ring, {1, 4}), (WeightedSend{2, 3}));
  EXPECT_EQ(next_send(ring, {-1, 3}), (WeightedSend{-2, 2}));
  EXPECT_EQ(next_send(ring, {2, 1}), std::nullopt);
  // Node 8 is informed in step 4 although it is 3 hops away.
  const Topology net = parse_topology("extended_ring(14,2)");
  const SpanningTree tree = extended_ring_tree(net, NodeId{0});
  EXPECT_EQ(tree.depth[8], 4U);
  EXPECT_EQ(distances_from(net, NodeId{0})[8], 3U);
  EXPECT_EQ(height(tree), 4U);
}

TEST(ExtendedRingTree, SendsNothingWithWeightZero) {
  EXPECT_EQ(first_sends({6, 2}), (std::vector<WeightedSend>{{1, 2}, {2, 2}, {-1, 1}}));
  EXPECT_EQ(first_sends({8, 3}).size(), 4U);
  EXPECT_EQ(first_sends({9, 3}).size(), 5U);
  EXPECT_EQ(first_sends({2, 1}), (std::vector<WeightedSend>{{1, 1}}));
}

TEST(ExtendedRingTree, KnowsItsGraphsByTheirJumps) {
  EXPECT_EQ(as_extended_ring(parse_topology("circulant(14;1,2)"))->reach, 2U);
  EXPECT_EQ(as_extended_ring(parse_topology("ring(9)"))->reach, 1U);
  EXPECT_EQ(as_extended_ring(parse_topology("complete(6)"))->reach, 3U);
  EXPECT_FALSE(as_extended_ring(parse_topology("circulant(14;1,3)")).has_value());
  EXPECT_FALSE(as_extended_ring(parse_topology("torus(3,4)")).has_value());
  EXPECT_FALSE(as_extended_ring(parse_topology("line(3)")).has_value());
}

TEST(BroadcastExtendedRing, TakesTheDiameterWithAllPorts) {
  for (const auto& [n, rho, diameter] :
       {std::array<uint32_t, 3>{14, 2, 4}, {6, 2, 2}, {8, 3, 2}, {9, 3, 2}, {25, 3, 4}, {16, 8, 1}}) {
    const Topology ring = parse_topology(fmt::format("extended_ring({},{})", n, rho));
    EXPECT_EQ(judged_steps(algorithms::broadcast_extended_ring, ring, 0, NodeId{5}), diameter) << ring.name();
  }
}

TEST(ScatterExtendedRing, TakesTheRootsShare) {
  for (const uint32_t n : {2U, 5U, 6U, 8U, 9U, 14U, 23U, 30U}) {
    for (uint32_t rho = 1; rho <= n / 2; ++rho) {
      const Topology ring = parse_topology(fmt::format("extended_ring({},{})", n, rho));
      for (const Algorithm* card : {&algorithms::scatter_extended_ring, &algorithms::gather_extended_ring}) {
        EXPECT_EQ(judged_steps(*card, ring, 0), even_share(ring, NodeId{0})) << card->name << ring.name();
        EXPECT_EQ(judged_steps(*card, ring, 1), n - 1) << card->name << ring.name();
      }
    }
  }
}

// --- tori -----------------------------------------------------------------------------------------------

TEST(TorusTree, IsBalancedFromAnyRoot) {
  for (uint32_t m = 3; m <= 14; ++m) {
    for (uint32_t n = 3; n <= 14; ++n) {
      const Topology torus = parse_topology(fmt::format("torus({},{})", m, n));
      const NodeId root{(m * n * 2 / 3)};
      EXPECT_EQ(largest_branch(torus, torus_tree(torus, root)), even_share(torus, root)) << torus.name();
    }
  }
}

TEST(TorusTreeSlow, IsBalancedForAllSidesUpTo40) {
  for (uint32_t m = 3; m <= 40; ++m) {
    for (uint32_t n = 3; n <= 40; ++n) {
      const Topology torus = parse_topology(fmt::format("torus({},{})", m, n));
      EXPECT_EQ(largest_branch(torus, torus_tree(torus, NodeId{0})), even_share(torus, NodeId{0}))
          << torus.name();
    }
  }
}

TEST(ScatterTorus, TakesAQuarterOfTheNodesOnEveryTorus) {
  for (uint32_t m = 3; m <= 14; ++m) {
    for (uint32_t n = 3; n <= 14; ++n) {
      const Topology torus = parse_topology(fmt::format("torus({},{})", m, n));
      const NodeId root{m * n / 2};
      EXPECT_EQ(judged_steps(algorithms::scatter_torus, torus, 0, root), (m * n - 1 + 3) / 4) << torus.name();
    }
  }
}

TEST(GatherTorus, TakesAsLongAsTheScatter) {
  for (const auto& [m, n] : {std::array<uint32_t, 2>{3, 3}, {3, 4}, {4, 3}, {4, 4}, {4, 6}, {5, 4}, {7, 7}}) {
    const Topology torus = parse_topology(fmt::format("torus({},{})", m, n));
    EXPECT_EQ(judged_steps(algorithms::gather_torus, torus, 0), (m * n - 1 + 3) / 4) << torus.name();
    EXPECT_EQ(judged_steps(algorithms::gather_torus, torus, 1), m * n - 1) << torus.name();
  }
}

TEST(ScatterTorus, SaysWhichGraphsItServes) {
  for (const char* spec : {"torus(4,2)", "torus(3,3,3)", "ring(9)", "mesh(4,4)"}) {
    const Problem problem = standard_problem(parse_topology(spec), CollectiveKind::kScatter);
    const Applicability fits = algorithms::scatter_torus.applies(problem);
    EXPECT_FALSE(fits.applies);
    EXPECT_NE(fits.reason.find("two dimensions with sides of at least 3"), std::string::npos) << fits.reason;
    EXPECT_NE(fits.reason.find("scatter_balanced_tree"), std::string::npos) << fits.reason;
  }
}

// --- grown trees ----------------------------------------------------------------------------------------

TEST(BalancedTree, IsEvenOnToriOfAnyDimension) {
  for (const char* spec :
       {"torus(2,2)",     "torus(2,3)",       "torus(3,3)",   "torus(4,4)",          "torus(6,9)",
        "torus(2,2,2)",   "torus(2,3,4)",     "torus(3,3,3)", "torus(3,3,4)",        "torus(4,4,4)",
        "torus(2,5,5)",   "torus(4,5,3)",     "torus(5,5,3)", "torus(5,5,5)",        "torus(2,2,3,5)",
        "torus(3,3,3,3)", "hypercube(6)",     "hypercube(8)", "torus(4,4,4,4)",      "torus(12,13)",
        "torus(8,8,8)",   "complete(7)",      "star(5)",      "hypercycle(7:2,6:1)", "ring(11)",
        "mesh(2,2)",      "circulant(13;1,5)"}) {
    const Topology net = parse_topology(spec);
    EXPECT_EQ(largest_branch(net, balanced_tree(net, NodeId{0})), even_share(net, NodeId{0})) << spec;
  }
}

TEST(BalancedTreeSlow, IsEvenOnAllSmallTori) {
  for (uint32_t a = 2; a <= 6; ++a) {
    for (uint32_t b = a; b <= 6; ++b) {
      for (uint32_t c = 1; c <= 6; ++c) {
        for (const uint32_t d : {1U, 2U, 3U}) {
          const Topology net = parse_topology(fmt::format("torus({},{},{},{})", a, b, c, d));
          EXPECT_EQ(largest_branch(net, balanced_tree(net, NodeId{0})), even_share(net, NodeId{0}))
              << net.name();
        }
      }
    }
  }
}

TEST(BalancedTree, SpansAnyGraphFromAnyRoot) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const Topology net = testing::random_topology(rng, 2 + static_cast<uint32_t>(rng.below(12)), false);
    if (net.has_routers() || net.is_directed()) continue;
    const NodeId root{static_cast<uint32_t>(rng.below(net.num_nodes()))};
    EXPECT_GE(largest_branch(net, balanced_tree(net, root)), even_share(net, root));
  }
  // On a tree there is nothing to choose.
  EXPECT_EQ(largest_branch(parse_topology("line(9)"), balanced_tree(parse_topology("line(9)"), NodeId{2})),
            6U);
}

TEST(LevelBalancedTree, IsOfShortestPathsOnAnyGraph) {
  Rng rng(12);
  for (int round = 0; round < 200; ++round) {
    const Topology net = testing::random_topology(rng, 2 + static_cast<uint32_t>(rng.below(12)), true);
    const NodeId root = net.endpoint(Rank{static_cast<uint32_t>(rng.below(net.num_endpoints()))});
    const SpanningTree tree = level_balanced_tree(net, root);
    const std::vector<uint32_t> hops = distances_from(net, root);
    std::set<NodeId> reached(tree.order.begin(), tree.order.end());
    for (const NodeId v : net.endpoints()) EXPECT_TRUE(reached.contains(v)) << net.name();
    for (const NodeId v : tree.order) {
      EXPECT_EQ(tree.depth[index(v)], hops[index(v)]) << net.name();
      EXPECT_TRUE(net.rank(v) || !tree.children(v).empty()) << net.name() << ": a router that leads nowhere";
    }
  }
}

TEST(LevelBalancedTree, IsNearlyEvenOnMeshesToriAndHypercubes) {
  for (const char* spec :
       {"mesh(16,16)", "mesh(7,12)", "torus(16,16)", "torus(9,14)", "torus(5,6,7)", "hypercube(9)"}) {
    const Topology net = parse_topology(spec);
    EXPECT_LE(largest_branch(net, level_balanced_tree(net, NodeId{0})), 1.06 * even_share(net, NodeId{0}))
        << spec;
  }
}

// Of a tree as it is: no message waits with all ports, and rounds are those of the fullest step of each distance.
TEST(JustInTime, TakesAsManyStepsAsItsTreeIsHighAndNoMoreRoundsThanDestinations) {
  Rng rng(13);
  for (int round = 0; round < 100; ++round) {
    const Topology net = testing::random_topology(rng, 3 + static_cast<uint32_t>(rng.below(12)), true);
    if (net.num_endpoints() < 2) continue;
    const Problem problem = standard_problem(net, CollectiveKind::kScatter, {.packets = Packets::kMany},
                                             net.endpoint(Rank{0}), 1 + static_cast<uint32_t>(rng.below(3)));
    const SpanningTree tree = breadth_first_tree(net, net.endpoint(Rank{0}));
    const JustInTime plan(problem, tree, {});
    ASSERT_TRUE(plan.is_done());
    EXPECT_FALSE(plan.had_to_choose());
    EXPECT_EQ(plan.figures().start_ups, height(tree));
    EXPECT_LE(*plan.figures().critical_blocks, problem.collective().num_blocks()) << net.name();
    const JustInTime small(problem, tree, {.most_rounds = 1});
    EXPECT_EQ(small.figures().critical_blocks, small.figures().start_ups) << net.name();
    EXPECT_FALSE(JustInTime(problem, tree, {.most_steps = height(tree) - 1}).is_done());
  }
}

TEST(ScatterBalancedTree, TakesTheRootsShareOnToriOfAnyDimension) {
  for (const char* spec : {"torus(2,2,3,5)", "torus(3,3,3)", "torus(5,5,3)", "hypercube(5)", "torus(2,7)"}) {
    const Topology net = parse_topology(spec);
    for (const Algorithm* card : {&algorithms::scatter_balanced_tree, &algorithms::gather_balanced_tree}) {
      EXPECT_EQ(judged_steps(*card, net, 0, NodeId{1}), even_share(net, NodeId{1})) << spec;
    }
  }
}

TEST(ScatterBalancedTree, RefusesWhatItsRepairsCannotServe) {
  const auto reason = [](std::string_view spec) {
    return algorithms::scatter_balanced_tree
        .applies(standard_problem(parse_topology(spec), CollectiveKind::kScatter))
        .reason;
  };
  EXPECT_NE(reason("fat_tree(2^2;constant)").find("has routers, and scatter_flow serves it"),
            std::string::npos);
}

TEST(ScatterProductTree, IsOptimalWithOnePort) {
  for (const char* spec : {"mesh(3,4,2)", "torus(5,3)", "generalized_hypercube(3,4)"}) {
    const Topology net = parse_topology(spec);
    for (const Algorithm* card : {&algorithms::scatter_product_tree, &algorithms::gather_product_tree}) {
      EXPECT_EQ(judged_steps(*card, net, 1, NodeId{5}), net.num_nodes() - 1) << spec;
    }
  }
}

// --- the exact scatter ----------------------------------------------------------------------------------

// The graph of figure 3.4(b): a square v, a, c, b with two leaves at c.
Topology figure_3_4_b() {
  TopologyBuilder builder("figure 3.4(b)", 6);
  constexpr std::string_view kNames = "vabcde";
  for (const std::string_view link : {"va", "vb", "ac", "bc", "cd", "ce"}) {
    builder.link(id_at<NodeId>(kNames.find(link[0])), id_at<NodeId>(kNames.find(link[1])));
  }
  builder.labels({"v", "a", "b", "c", "d", "e"});
  return builder.build();
}

TEST(ScatterFlow, BeatsEveryTreeOnTheGraphOfFigure34b) {
  const Topology net = figure_3_4_b();
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, net, 0), 3U);
  EXPECT_EQ(judged_steps(algorithms::gather_flow, net, 0), 3U);
  EXPECT_EQ(judged_steps(algorithms::scatter_furthest_first, net, 0), 4U);
  EXPECT_EQ(judged_steps(algorithms::scatter_balanced_tree, net, 0), 4U);
}

TEST(ScatterFlow, IsAboveTheDegreeBoundWhereTheNetworkHasANeck) {
  const Problem problem =
      standard_problem(parse_topology("line(5)"), CollectiveKind::kScatter, ports(0), NodeId{1});
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, problem), 3U);
  EXPECT_EQ(bound_catalog().find("degree")->evaluate(problem)->value.ceil(), 2);
  EXPECT_EQ(bound_catalog().find("scatter_levels")->evaluate(problem)->value, Rational(3));
}

TEST(ScatterFlow, IsAsQuickAsTheTreesThatAreOptimal) {
  for (const char* spec :
       {"torus(4,4)", "torus(6,7)", "extended_ring(14,2)", "hypercube(5)", "torus(3,3,3)"}) {
    const Topology net = parse_topology(spec);
    EXPECT_EQ(judged_steps(algorithms::scatter_flow, net, 0), even_share(net, NodeId{0})) << spec;
  }
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, parse_topology("mesh(3,4)"), 1), 11U);
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, parse_topology("ring(1)"), 0), 0U);
}

TEST(ScatterFlow, UsesCapacities) {
  // With one link of capacity 3 the others are no longer the way to go.
  TopologyBuilder builder("wide", 5);
  builder.link(NodeId{0}, NodeId{1}, 3);
  builder.link(NodeId{1}, NodeId{2});
  builder.link(NodeId{1}, NodeId{3});
  builder.link(NodeId{1}, NodeId{4});
  const Topology wide = builder.build();
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, wide, 0), 2U);
  EXPECT_EQ(judged_steps(algorithms::scatter_furthest_first, wide, 0), 4U);
  EXPECT_EQ(judged_steps(algorithms::scatter_flow, parse_topology("fat_tree(2^3;exponential)"), 0),
            judged_steps(algorithms::scatter_fat_tree, parse_topology("fat_tree(2^3;exponential)"), 0));
}

TEST(ScatterFlow, SaysHowLargeAGraphItServes) {
  const Problem problem = standard_problem(parse_topology("torus(64,64)"), CollectiveKind::kScatter);
  const Applicability fits = algorithms::scatter_flow.applies(problem);
  EXPECT_FALSE(fits.applies);
  EXPECT_NE(fits.reason.find("limited to flows of 2,000,000 arcs"), std::string::npos) << fits.reason;
  EXPECT_TRUE(algorithms::scatter_flow
                  .applies(standard_problem(parse_topology("torus(20,20)"), CollectiveKind::kScatter))
                  .applies);
}

// The fewest steps of a scatter by search over the places of all blocks.
class AllScatters {
 public:
  explicit AllScatters(const Problem& problem) : problem_(problem), topology_(problem.topology()) {}

  uint64_t fewest_steps() {
    Places start;
    Places goal;
    for (uint32_t b = 0; b < problem_.collective().num_blocks(); ++b) {
      if (problem_.collective().destination(BlockId{b}) == *problem_.collective().root()) continue;
      start.push_back(problem_.origin(BlockId{b}));
      goal.push_back(problem_.destination(BlockId{b}));
    }
    std::set<Places> seen{start};
    std::vector<Places> frontier{start};
    for (uint64_t steps = 0;; ++steps) {
      if (seen.contains(goal)) return steps;
      std::vector<Places> next;
      for (const Places& places : frontier) {
        Places moved = places;
        used_.clear();
        move(places, 0, moved, seen, next);
      }
      frontier = std::move(next);
    }
  }

 private:
  using Places = std::vector<NodeId>;

  // All ways to move, or not, the blocks from k on; what was never seen goes to `out`.
  void move(const Places& places, size_t k, Places& moved, std::set<Places>& seen, std::vector<Places>& out) {
    if (k == places.size()) {
      if (seen.insert(moved).second) out.push_back(moved);
      return;
    }
    moved[k] = places[k];
    move(places, k + 1, moved, seen, out);
    for (const ArcId arc : topology_.arcs_from(places[k])) {
      used_.push_back(arc);
      if (allowed(arc)) {
        moved[k] = topology_.head(arc);
        move(places, k + 1, moved, seen, out);
      }
      used_.pop_back();
    }
  }

  [[nodiscard]] bool allowed(ArcId last) const {
    uint32_t same = 0;
    uint32_t sends = 0;
    uint32_t receives = 0;
    for (const ArcId arc : used_) {
      same += arc == last ? 1 : 0;
      sends += topology_.tail(arc) == topology_.tail(last) ? 1 : 0;
      receives += topology_.head(arc) == topology_.head(last) ? 1 : 0;
    }
    const Model& model = problem_.model();
    return same <= topology_.capacity(last) && (model.send.unlimited() || sends <= model.send.count) &&
           (model.receive.unlimited() || receives <= model.receive.count);
  }

  const Problem& problem_;
  const Topology& topology_;
  std::vector<ArcId> used_;
};

TEST(ScatterFlow, IsNeverAboveNorBelowTheBestOfAllScatters) {
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    const Topology net =
        testing::random_topology(rng, 3 + static_cast<uint32_t>(rng.below(3)), rng.below(2) == 0);
    Model model;
    constexpr std::array<uint32_t, 4> kPorts = {0, 0, 1, 2};
    model.send = Ports{kPorts[rng.below(4)]};
    model.receive = Ports{kPorts[rng.below(4)]};
    const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
    const Problem problem = standard_problem(net, CollectiveKind::kScatter, model, root);
    EXPECT_EQ(judged_steps(algorithms::scatter_flow, problem), AllScatters(problem).fewest_steps())
        << problem.title() << ", " << describe(model);
  }
}

}  // namespace single_source_test
}  // namespace quadrille
