// Allreduce up a binomial tree and down again, which is what is left when nothing else fits.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_binomial;

namespace allreduce_binomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const RankRounds down = knomial_broadcast(collective.num_ranks(), 2, collective.pieces());
  RankRounds out = down.reversed();
  out.append(down, TransferOp::kCopy);
  return out;
}

}  // namespace
}  // namespace allreduce_binomial_parts

constinit const Algorithm allreduce_binomial = {
    .name = "allreduce_binomial",
    .collective = CollectiveKind::kAllreduce,
    .summary = "sums up a binomial tree, and copies down again",
    .source = "folklore; reduce and broadcast in MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; one port; 2 ceil(log2 p) steps on complete networks",
    .may_keep_order = true,
    .applies = rounds_apply,
    .prepare = placed<allreduce_binomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
