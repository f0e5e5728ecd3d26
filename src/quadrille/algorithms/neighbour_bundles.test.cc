// Known figures of the exchanges that send bundles over single links: start-ups and the blocks of the critical path.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace neighbour_bundles_test {

Problem worms(std::string_view spec, CollectiveKind kind, uint32_t pieces) {
  Model model;
  model.switching = Switching::kWormhole;
  return standard_problem(parse_topology(spec), kind, model, kNoNode, pieces);
}

// What is predicted is held against the judge.
std::pair<uint64_t, uint64_t> judged(std::string_view name, std::string_view spec, uint32_t pieces) {
  const Algorithm& card = *algorithm_catalog().find(name);
  const Problem problem = worms(spec, card.collective, pieces);
  const uint64_t steps = judged_steps(card, problem);
  return {steps, *card.plan_for(problem)->prediction().critical_blocks};
}

uint32_t unit(std::string_view name, std::string_view spec) {
  const Algorithm& card = *algorithm_catalog().find(name);
  return card.chunks(worms(spec, card.collective, 1)).unit;
}

using Figures = std::pair<uint64_t, uint64_t>;

TEST(AllgatherDimensions, TakesTheDiameterAndNotABlockTooMany) {
  EXPECT_EQ(judged("allgather_dimensions", "torus(4,4)", 4), Figures(4, 15));
  EXPECT_EQ(judged("allgather_dimensions", "torus(5,5)", 2), Figures(4, 12));
  EXPECT_EQ(judged("allgather_dimensions", "torus(8,8)", 4), Figures(8, 63));
  EXPECT_EQ(judged("allgather_dimensions", "torus(3,3,3)", 3), Figures(3, 13));
  EXPECT_EQ(judged("allgather_dimensions", "torus(4,4,4)", 6), Figures(6, 63));
  EXPECT_EQ(judged("allgather_dimensions", "hypercube(5)", 5), Figures(5, 31));
  EXPECT_EQ(judged("allgather_dimensions", "ring(9)", 1), Figures(4, 4));
  EXPECT_EQ(judged("allgather_dimensions", "ring(16)", 2), Figures(8, 15));
  EXPECT_EQ(judged("allgather_dimensions", "mesh(8,8)", 4), Figures(14, 126));
  EXPECT_EQ(judged("allgather_dimensions", "mesh(3,3,3)", 3), Figures(6, 26));
  EXPECT_EQ(judged("reduce_scatter_dimensions", "mesh(5,5)", 2), Figures(8, 24));
  EXPECT_EQ(judged("allgather_dimensions", "torus(1,1)", 1), Figures(0, 0));
}

TEST(AllgatherDimensions, SaysInHowManyChunksItIsGood) {
  EXPECT_EQ(unit("allgather_dimensions", "torus(8,8)"), 4U);
  EXPECT_EQ(unit("allgather_dimensions", "torus(5,5)"), 2U);
  EXPECT_EQ(unit("reduce_scatter_dimensions", "mesh(8,8)"), 2U);
  EXPECT_EQ(unit("allreduce_dimensions", "hypercube(6)"), 6U * 64U);
}

TEST(AllgatherShells, TakesTheDiameterWhateverTheSides) {
  EXPECT_EQ(judged("allgather_shells", "torus(8,8)", 1), Figures(8, 17));
  EXPECT_EQ(judged("allgather_shells", "torus(8,8)", 4), Figures(8, 63));
  EXPECT_EQ(judged("reduce_scatter_shells", "torus(5,7)", 2), Figures(5, 17));
  EXPECT_EQ(judged("allgather_shells", "torus(2,5)", 3), Figures(3, 9));
  EXPECT_EQ(judged("allgather_shells", "torus(3,8)", 4), Figures(5, 23));
  EXPECT_EQ(judged("allgather_shells", "torus(2,3,7)", 5), Figures(5, 41));
  EXPECT_EQ(judged("allgather_shells", "hypercube(6)", 6), Figures(6, 63));
  EXPECT_EQ(judged("allgather_shells", "complete(7)", 1), Figures(1, 1));
  EXPECT_EQ(judged("allgather_shells", "generalized_petersen(5,2)", 3), Figures(2, 9));
}

// Where nodes have up to six links, blocks are counted, and dealt out once the plan is wanted.
TEST(AllgatherShells, SaysOfManyNodesWhatItThenDoes) {
  EXPECT_EQ(judged("allgather_shells", "mesh(9,15)", 1), Figures(22, 80));
  EXPECT_EQ(judged("allgather_shells", "mesh(9,15)", 4), Figures(22, 297));
  EXPECT_EQ(judged("allgather_shells", "random_regular(130,3;1)", 3), Figures(9, 192));
  EXPECT_EQ(judged("allgather_shells", "random_regular(130,7;1)", 2), Figures(4, 45));
}

TEST(AllreduceBothWays, IsAReduceScatterAndAnAllgather) {
  EXPECT_EQ(judged("allreduce_dimensions", "torus(8,8)", 256), Figures(16, 126));
  EXPECT_EQ(judged("allreduce_dimensions", "hypercube(6)", 384), Figures(12, 126));
  EXPECT_EQ(judged("allreduce_shells", "torus(5,7)", 70), Figures(10, 34));
  EXPECT_EQ(judged("allreduce_shells", "torus(2,5)", 1), Figures(6, 6)) << "a tree down and up";
}

TEST(AllreduceBothWays, LeavesOutThePiecesThatTheLastRanksHaveNot) {
  EXPECT_EQ(judged("allreduce_dimensions", "torus(4,4)", 40).first, 8U);
  EXPECT_EQ(judged("allreduce_dimensions", "torus(4,4)", 1), Figures(8, 8)) << "a tree to node 0 and back";
}

}  // namespace neighbour_bundles_test
}  // namespace quadrille
