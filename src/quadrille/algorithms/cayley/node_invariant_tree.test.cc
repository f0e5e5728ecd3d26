#include "quadrille/algorithms/cayley/node_invariant_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm allgather_node_invariant;
extern const Algorithm allreduce_node_invariant;
extern const Algorithm reduce_scatter_node_invariant;
}  // namespace algorithms

namespace node_invariant_tree_test {

Problem on(const std::string& spec, CollectiveKind kind, uint32_t ports = 0, uint32_t pieces = 1) {
  Model model;
  model.send = model.receive = Ports{ports};
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

uint64_t tree_steps(const std::string& spec, uint32_t pieces = 1) {
  return node_invariant_tree(on(spec, CollectiveKind::kAllgather), pieces).steps();
}

// (pieces * (n-1)) / degree, rounded up.
uint64_t bound(const std::string& spec, uint32_t pieces = 1) {
  return static_cast<uint64_t>(best_bound(on(spec, CollectiveKind::kAllgather, 0, pieces)).value.ceil());
}

constexpr std::array<std::string_view, 20> kCayleyGraphs = {
    "ring(17)",     "ring(18)",     "circulant(14;1,2)",    "circulant(101;1,10)",
    "complete(9)",  "hypercube(7)", "torus(6,6)",           "torus(5,7)",
    "torus(2,9)",   "torus(3,4,5)", "torus(2,2,3,3)",       "star(4)",
    "star(5)",      "pancake(4)",   "pancake(5)",           "cube_connected_cycles(3)",
    "butterfly(3)", "butterfly(4)", "hypercycle(14:2,8:1)", "generalized_hypercube(4,3,5)"};

TEST(NodeInvariantTree, UsesEveryGeneratorInEveryStep) {
  for (const std::string_view spec : kCayleyGraphs) {
    EXPECT_EQ(tree_steps(std::string(spec)), bound(std::string(spec))) << spec;
    EXPECT_EQ(tree_steps(std::string(spec), 3), bound(std::string(spec), 3)) << spec;
  }
}

TEST(NodeInvariantTree, AllToriUpToNineTimesNineAndFiveTimesFiveTimesFive) {
  for (uint32_t a = 2; a <= 9; ++a) {
    for (uint32_t b = a; b <= 9; ++b) {
      const std::string spec = fmt::format("torus({},{})", a, b);
      EXPECT_EQ(tree_steps(spec), bound(spec)) << spec;
    }
  }
  for (uint32_t a = 2; a <= 5; ++a) {
    for (uint32_t b = a; b <= 5; ++b) {
      for (uint32_t c = b; c <= 5; ++c) {
        const std::string spec = fmt::format("torus({},{},{})", a, b, c);
        EXPECT_EQ(tree_steps(spec), bound(spec)) << spec;
      }
    }
  }
}

// The first tree that is tried has a step too many: at its end two generators lead only to nodes that were
// informed.
TEST(NodeInvariantTree, IsMadeAgainWhereTheFirstChoicesRunShort) {
  EXPECT_EQ(tree_steps("circulant(18;1,8,9)", 3), 11U);
  EXPECT_EQ(tree_steps("circulant(16;3,5,8)", 3), 9U);
}

// In circulant(16;1,7,8) node 4 is four hops away, though three steps had links enough.
TEST(NodeInvariantTree, DistanceCanBeTheBound) {
  EXPECT_EQ(tree_steps("circulant(16;1,7,8)"), 4U);
  EXPECT_EQ(bound("circulant(16;1,7,8)"), 4U);
}

TEST(NodeInvariantTree, FewerPortsTakeOnlyAsManyGeneratorsAtATime) {
  for (const uint32_t ports : {1U, 2U, 3U}) {
    const Problem problem = on("torus(3,5)", CollectiveKind::kAllgather, ports);
    EXPECT_EQ(judged_steps(algorithms::allgather_node_invariant, problem), (14 + ports - 1) / ports);
  }
  EXPECT_EQ(judged_steps(algorithms::allgather_node_invariant, on("star(4)", CollectiveKind::kAllgather, 1)),
            23U);
}

TEST(NodeInvariantTree, SaysWhyThereIsNone) {
  EXPECT_EQ(has_node_invariant_tree(on("mesh(3,3)", CollectiveKind::kAllgather)).reason,
            "it needs a Cayley graph; no group is known for mesh(3,3)");
}

TEST(AllgatherNodeInvariant, MeetsTheBoundOnCayleyGraphs) {
  for (const std::string_view spec : kCayleyGraphs) {
    const Problem problem = on(std::string(spec), CollectiveKind::kAllgather);
    EXPECT_EQ(judged_steps(algorithms::allgather_node_invariant, problem), bound(std::string(spec))) << spec;
  }
}

TEST(ReduceScatterNodeInvariant, CountsEveryContributionOnceInAsManySteps) {
  for (const std::string_view spec : kCayleyGraphs) {
    const Problem problem = on(std::string(spec), CollectiveKind::kReduceScatter);
    EXPECT_EQ(judged_steps(algorithms::reduce_scatter_node_invariant, problem), bound(std::string(spec)))
        << spec;
  }
}

TEST(AllreduceNodeInvariant, IsBothForAsManyPiecesAsNodes) {
  for (const std::string_view spec : {"torus(4,4)", "star(4)", "hypercube(5)", "ring(7)"}) {
    const uint32_t nodes = parse_topology(spec).num_nodes();
    const Problem problem = on(std::string(spec), CollectiveKind::kAllreduce, 0, nodes);
    EXPECT_EQ(judged_steps(algorithms::allreduce_node_invariant, problem), 2 * bound(std::string(spec)));
  }
  // Pieces that do not come out even: as long as for the next multiple.
  EXPECT_EQ(
      judged_steps(algorithms::allreduce_node_invariant, on("torus(4,4)", CollectiveKind::kAllreduce, 0, 17)),
      2 * bound("torus(4,4)", 2));
}

TEST(NodeInvariantSlow, LargeToriAreStreamed) {
  EXPECT_EQ(
      judged_steps(algorithms::allgather_node_invariant, on("torus(16,16,16)", CollectiveKind::kAllgather)),
      683U);
  EXPECT_EQ(judged_steps(algorithms::reduce_scatter_node_invariant,
                         on("torus(8,8,8)", CollectiveKind::kReduceScatter)),
            86U);
}

TEST(NodeInvariantTree, ManyGeneratorsAndFewPortsStillTakeWhatTheBoundSays) {
  for (const uint32_t ports : {1U, 2U, 5U, 12U}) {
    for (const uint32_t pieces : {1U, 3U}) {
      const Problem problem = on("complete(50)", CollectiveKind::kAllgather, ports, pieces);
      EXPECT_EQ(judged_steps(algorithms::allgather_node_invariant, problem),
                (49U * pieces + ports - 1) / ports);
    }
  }
}

}  // namespace node_invariant_tree_test
}  // namespace quadrille
