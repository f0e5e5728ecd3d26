// Broadcasts and reductions over disjoint trees, all through the judge, against what the pieces need to flow.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/disjoint_trees.h"
#include "quadrille/algorithms/trees/tree_packing.h"
#include "quadrille/algorithms/trees/tree_streaming.h"
#include "quadrille/algorithms/trees/window_flooding.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/queries/successive_paths.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm broadcast_disjoint_trees;
extern const Algorithm reduce_disjoint_trees;
}  // namespace algorithms

namespace broadcast_disjoint_trees_test {

using ::testing::HasSubstr;

uint64_t broadcast_steps(std::string_view spec, uint32_t pieces, uint32_t root = 0) {
  return judged_steps(
      algorithms::broadcast_disjoint_trees,
      standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, {}, NodeId{root}, pieces));
}

TEST(BroadcastDisjointTrees, TakesAsManyStepsAsThePiecesNeedToFlow) {
  EXPECT_EQ(broadcast_steps("torus(4,4)", 16), 7U);
  EXPECT_EQ(broadcast_steps("torus(8,8)", 16), 11U);
  EXPECT_EQ(broadcast_steps("torus(8,8)", 32), 15U);
  EXPECT_EQ(broadcast_steps("hypercube(6)", 48), 13U);
  EXPECT_EQ(broadcast_steps("torus(4,4,4)", 48), 13U);
  EXPECT_EQ(broadcast_steps("torus(5,7)", 16), 9U);
  EXPECT_EQ(broadcast_steps("torus(3,3)", 32), 10U);
  EXPECT_EQ(broadcast_steps("torus(2,5)", 12), 7U);
  EXPECT_EQ(broadcast_steps("mesh(8,8)", 32), 29U);
  EXPECT_EQ(judged_steps(
                algorithms::reduce_disjoint_trees,
                standard_problem(parse_topology("torus(8,8)"), CollectiveKind::kReduce, {}, NodeId{0}, 16)),
            11U);
}

// Steps above the bound: everywhere none, but what `allowed` says.
void expect_at_the_bound(std::string_view spec, NodeId root, uint32_t pieces, uint64_t allowed = 0) {
  const Topology net = parse_topology(spec);
  const uint64_t least = quickest_to_all(net, root, false, pieces).steps;
  const Problem problem = standard_problem(net, CollectiveKind::kBroadcast, {}, root, pieces);
  EXPECT_LE(judged_steps(algorithms::broadcast_disjoint_trees, problem), least + allowed)
      << spec << " from " << net.label(root) << " in " << pieces << " pieces";
}

TEST(BroadcastDisjointTrees, IsAtTheBoundForEveryNumberOfPieces) {
  for (const std::string_view spec :
       {"torus(4,4)", "torus(4,6)", "torus(3,3)", "torus(5,5)", "torus(2,5)", "torus(2,4)", "torus(3,3,3)",
        "hypercube(2)", "hypercube(3)", "hypercube(4)", "mesh(3,3)", "mesh(2,6)", "mesh(4,5)", "mesh(2,2,3)",
        "ring(6)", "ring(7)", "complete(5)", "circulant(9;1,2)"}) {
    const Topology net = parse_topology(spec);
    const NodeId root{net.num_nodes() / 3};
    const uint32_t trees = most_disjoint_trees(net, root);
    for (uint32_t pieces = 2; pieces <= 4 * trees; ++pieces) expect_at_the_bound(spec, root, pieces);
  }
}

TEST(BroadcastDisjointTrees, IsAtTheBoundFromEveryRootOfAMesh) {
  const Topology net = parse_topology("mesh(4,5)");
  for (const NodeId root : net.nodes()) {
    for (const uint32_t pieces : {2U, 7U, 8U}) expect_at_the_bound("mesh(4,5)", root, pieces);
  }
}

TEST(BroadcastDisjointTrees, SaysWhereItDoesNotApply) {
  const auto reason = [](std::string_view spec, uint32_t pieces, Model model = {}) {
    return algorithms::broadcast_disjoint_trees
        .applies(standard_problem(parse_topology(spec), CollectiveKind::kBroadcast, model, NodeId{0}, pieces))
        .reason;
  };
  EXPECT_EQ(reason("torus(4,4)", 2), "");
  EXPECT_THAT(reason("torus(4,4)", 1), HasSubstr("in one piece takes one tree"));
  EXPECT_THAT(reason("line(4)", 4), HasSubstr("only one link leaves 0"));
  EXPECT_THAT(reason("star(3)", 4), HasSubstr(""));
  EXPECT_THAT(reason("torus(4,4)", 4, ports(1)), HasSubstr("it takes all ports"));
  EXPECT_THAT(reason("torus(128,128)", 4), HasSubstr("up to 4096 nodes"));
  Model worms;
  worms.switching = Switching::kWormhole;
  EXPECT_THAT(reason("torus(4,4)", 4, worms), HasSubstr("packet switching"));
}

TEST(BroadcastDisjointTrees, KnowsInWhichChunksItIsGood) {
  const auto unit = [](std::string_view spec) {
    const Chunking chunks = algorithms::broadcast_disjoint_trees.chunks(
        standard_problem(parse_topology(spec), CollectiveKind::kBroadcast));
    EXPECT_TRUE(chunks.streams);
    return chunks.unit;
  };
  EXPECT_EQ(unit("torus(8,8)"), 4U);
  EXPECT_EQ(unit("hypercube(6)"), 6U);
  EXPECT_EQ(unit("mesh(4,4,4)"), 3U);
}

TEST(DisjointTrees, OfAMeshAreAsShortAsCanBe) {
  for (const std::string_view spec : {"mesh(3,3)", "mesh(8,8)", "mesh(3,4,5)", "mesh(9,3)"}) {
    const Topology net = parse_topology(spec);
    const DisjointTrees trees = mesh_trees(net, NodeId{0}).value();
    EXPECT_EQ(trees.size(), net.product()->factors.size());
    uint32_t farthest = 0;
    for (const Topology& factor : net.product()->factors) farthest += factor.num_nodes() - 1;
    EXPECT_EQ(trees.height(), farthest) << spec;
  }
  for (uint32_t d = 2; d <= 7; ++d) {
    const DisjointTrees trees =
        mesh_trees(parse_topology(fmt::format("hypercube({})", d)), NodeId{1}).value();
    EXPECT_EQ(trees.height(), d + 1) << "Johnsson and Ho's";
  }
  EXPECT_FALSE(mesh_trees(parse_topology("complete(5)"), NodeId{0}).has_value());
}

TEST(DisjointTrees, OfACompleteGraphAreOneANeighbour) {
  for (const uint32_t nodes : {2U, 3U, 5U, 16U}) {
    const DisjointTrees trees =
        complete_trees(parse_topology(fmt::format("complete({})", nodes)), NodeId{1}).value();
    EXPECT_EQ(trees.size(), nodes - 1);
    EXPECT_EQ(trees.height(), nodes == 2 ? 1U : 2U);
  }
  EXPECT_FALSE(complete_trees(parse_topology("ring(4)"), NodeId{0}).has_value());
}

TEST(DisjointTrees, ArePackedOnAnyGraphThatHasThem) {
  Rng rng(3);
  for (int round = 0; round < 120; ++round) {
    const uint32_t size = 3 + static_cast<uint32_t>(rng.below(25));
    const Topology net = rng.below(2) == 0 ? testing::random_directed_topology(rng, size, false)
                                           : testing::random_topology(rng, size, false);
    const NodeId root = id_at<NodeId>(rng.below(size));
    const uint32_t most = most_disjoint_trees(net, root);
    // disjoint_trees() checks that they are.
    EXPECT_EQ(packed_trees(net, root, most).value().size(), most);
    EXPECT_FALSE(packed_trees(net, root, most + 1).has_value());
  }
}

TEST(BroadcastDisjointTrees, ServesAnyGraphBothWays) {
  Rng rng(4);
  uint64_t above = 0;
  uint64_t all = 0;
  for (int round = 0; round < 150; ++round) {
    const uint32_t size = 3 + static_cast<uint32_t>(rng.below(12));
    const bool routers = rng.below(3) == 0;
    const Topology net = rng.below(2) == 0 ? testing::random_directed_topology(rng, size, routers)
                                           : testing::random_topology(rng, size, routers);
    const auto pieces = static_cast<uint32_t>(2 + rng.below(14));
    const NodeId root = net.endpoints()[rng.below(net.num_endpoints())];
    for (const Algorithm* card :
         {&algorithms::broadcast_disjoint_trees, &algorithms::reduce_disjoint_trees}) {
      const Problem problem = standard_problem(net, card->collective, {}, root, pieces);
      if (!card->applies(problem).applies || !prepare(*card, problem).fits.applies) continue;
      const uint64_t least =
          quickest_to_all(net, root, card->collective == CollectiveKind::kReduce, pieces).steps;
      const uint64_t steps = judged_steps(*card, problem);
      EXPECT_GE(steps, least);
      above += steps - least;
      all += least;
      Plan plan;
      card->plan_for(problem)->generate(plan);
      EXPECT_TRUE(reference_verify(problem, plan).passed());
    }
  }
  EXPECT_LT(above * 20, all) << above << " of " << all;
}

TEST(BroadcastDisjointTreesSlow, EveryTorusHypercubeAndMeshToThreeHundredNodes) {
  const auto look = [](const std::string& spec, uint64_t allowed) {
    const Topology net = parse_topology(spec);
    const uint32_t trees = most_disjoint_trees(net, NodeId{0});
    for (const uint32_t pieces : {trees - 1, trees, trees + 1, 2 * trees, 3 * trees - 1, 4 * trees}) {
      if (pieces > 1) expect_at_the_bound(spec, NodeId{0}, pieces, allowed);
    }
  };
  for (uint32_t a = 2; a * a <= 300; ++a) {
    for (uint32_t b = a; a * b <= 300; ++b) {
      look(fmt::format("torus({},{})", a, b), 1);
      look(fmt::format("mesh({},{})", a, b), 0);
      for (uint32_t c = b; a * b * c <= 300; ++c) look(fmt::format("torus({},{},{})", a, b, c), 1);
    }
  }
  for (uint32_t d = 2; d <= 8; ++d) look(fmt::format("hypercube({})", d), 0);
}

// Two at a time on the larger one, and more pieces than a word has bits.
TEST(FloodWindow, BringsEveryPieceToEverybodyByThoseWhoHaveIt) {
  for (const std::string_view spec : {"torus(4,5)", "mesh(7,10)"}) {
    const Topology net = parse_topology(spec);
    constexpr uint32_t kPieces = 70;
    DisjointTrees trees;
    trees.root = NodeId{3};
    const auto window = flood_window(net, trees, 1, kPieces, 200, false);
    ASSERT_TRUE(window) << spec;
    std::set<std::pair<NodeId, uint32_t>> has;
    for (uint32_t p = 0; p < kPieces; ++p) has.emplace(trees.root, p);
    for (uint32_t s = 1; s <= window->steps; ++s) {
      const auto before = has;
      std::set<ArcId> used;
      for (const LastBatches::Send& send : window->sends) {
        if (send.step != s) continue;
        EXPECT_TRUE(used.insert(send.arc).second) << spec << ": one piece a link and step";
        EXPECT_TRUE(before.contains({net.tail(send.arc), send.piece})) << spec;
        EXPECT_TRUE(has.emplace(net.head(send.arc), send.piece).second) << spec << ": only what it lacks";
      }
    }
    EXPECT_EQ(has.size(), size_t{kPieces} * net.num_nodes()) << spec;
    EXPECT_FALSE(flood_window(net, trees, 1, kPieces, kPieces / 4, false))
        << "the root has four links at most";
  }
}

}  // namespace broadcast_disjoint_trees_test
}  // namespace quadrille
