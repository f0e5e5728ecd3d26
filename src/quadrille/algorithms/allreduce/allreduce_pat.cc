// Allreduce: a reduce_scatter and an allgather, PAT: every block goes down a binomial tree of its own, the farthest first, so that the nearest ranks exchange most.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_pat;

namespace allreduce_pat_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(
      pat_allgather(collective.num_ranks(), pieces_for_each(collective.pieces(), collective.num_ranks())),
      collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_pat_parts

constinit const Algorithm allreduce_pat = {
    .name = "allreduce_pat",
    .collective = CollectiveKind::kAllreduce,
    .summary = "every block down a binomial tree of its own, the farthest first; backwards and forwards",
    .source = "PAT, parallel aggregated trees of NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps for each half and p-1 of p pieces on complete networks; elsewhere its long ways carry little",
    .applies = rounds_apply,
    .chunks = allreduce_pat_parts::chunks,
    .prepare = placed_outlined<allreduce_pat_parts::rounds, pat_outline_both_ways>,
};

}  // namespace quadrille::algorithms
