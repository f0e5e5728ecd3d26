// Allreduce up two binary trees and down again.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/double_tree.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_double_tree;

namespace allreduce_double_tree_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const RankRounds down = DoubleTree(collective.num_ranks()).broadcast(collective.pieces());
  RankRounds out = down.reversed();
  out.append(down, TransferOp::kCopy);
  return out;
}

Chunking chunks(const Problem& problem) {
  return {.unit = problem.collective().num_ranks() > 2 ? 2U : 1U,
          .streams = problem.collective().num_ranks() > 2};
}

}  // namespace
}  // namespace allreduce_double_tree_parts

constinit const Algorithm allreduce_double_tree = {
    .name = "allreduce_double_tree",
    .collective = CollectiveKind::kAllreduce,
    .summary = "odd and even chunks up two binary trees and down again",
    .source = "Sanders, Speck, Traeff 2009; NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; at most 2 n + 4 log2 p steps for n chunks on complete networks",
    .may_keep_order = true,
    .applies = rounds_apply,
    .chunks = allreduce_double_tree_parts::chunks,
    .prepare = placed_long<allreduce_double_tree_parts::rounds, round_a_piece, double_tree_outline_both_ways>,
};

}  // namespace quadrille::algorithms
