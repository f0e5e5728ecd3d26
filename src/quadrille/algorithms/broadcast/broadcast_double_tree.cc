// Broadcast down two binary trees, for streams of chunks: odd chunks down the one, even chunks down the other, in which the
// inner ranks of the first are leaves; at most n + 2 log2 p rounds for n chunks, and every rank receives in the order of ranks.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/double_tree.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_double_tree;

namespace broadcast_double_tree_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return DoubleTree(collective.num_ranks()).broadcast(collective.pieces());
}

Chunking chunks(const Problem& problem) {
  return {.unit = problem.collective().num_ranks() > 2 ? 2U : 1U,
          .streams = problem.collective().num_ranks() > 2};
}

}  // namespace
}  // namespace broadcast_double_tree_parts

constinit const Algorithm broadcast_double_tree = {
    .name = "broadcast_double_tree",
    .collective = CollectiveKind::kBroadcast,
    .summary = "odd and even chunks down two binary trees, each rank inner in one and a leaf in the other",
    .source = "Sanders, Speck, Traeff 2009; NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; at most n + 2 log2 p steps for n chunks on complete networks",
    .applies = rounds_apply,
    .chunks = broadcast_double_tree_parts::chunks,
    .prepare = placed_long<broadcast_double_tree_parts::rounds, round_a_piece, double_tree_outline>,
};

}  // namespace quadrille::algorithms
