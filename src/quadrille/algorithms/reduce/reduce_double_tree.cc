// Reduce up two binary trees: the broadcast down them, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/double_tree.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_double_tree;

namespace reduce_double_tree_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return DoubleTree(collective.num_ranks()).broadcast(collective.pieces()).reversed();
}

Chunking chunks(const Problem& problem) {
  return {.unit = problem.collective().num_ranks() > 2 ? 2U : 1U,
          .streams = problem.collective().num_ranks() > 2};
}

}  // namespace
}  // namespace reduce_double_tree_parts

constinit const Algorithm reduce_double_tree = {
    .name = "reduce_double_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "odd and even chunks up two binary trees, each rank inner in one and a leaf in the other",
    .source = "Sanders, Speck, Traeff 2009; NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; at most n + 2 log2 p steps for n chunks on complete networks",
    .may_keep_order = true,
    .applies = rounds_apply,
    .chunks = reduce_double_tree_parts::chunks,
    .prepare = placed_long<reduce_double_tree_parts::rounds, round_a_piece, double_tree_outline>,
};

}  // namespace quadrille::algorithms
