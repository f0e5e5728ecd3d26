// Reduce_scatter: the allgather_pat, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_pat;

namespace reduce_scatter_pat_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return pat_allgather(collective.num_ranks(), collective.pieces()).reversed();
}

}  // namespace
}  // namespace reduce_scatter_pat_parts

constinit const Algorithm reduce_scatter_pat = {
    .name = "reduce_scatter_pat",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "every block down a binomial tree of its own, the farthest first; backwards",
    .source = "PAT, parallel aggregated trees of NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps and p-1 blocks on complete networks; elsewhere its long ways carry little",
    .applies = rounds_apply,
    .prepare = placed_outlined<reduce_scatter_pat_parts::rounds, pat_outline>,
};

}  // namespace quadrille::algorithms
