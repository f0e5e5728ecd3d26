// Allgather, PAT: every block goes down a binomial tree of its own, the farthest first, so that the nearest ranks exchange most.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_pat;

namespace allgather_pat_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return pat_allgather(collective.num_ranks(), collective.pieces());
}

Preparation prepare(const Problem& problem) {
  return prepare_rounds(problem, {{.rounds = rounds, .are_few = true, .outline = pat_outline}});
}

// In any number: all pieces of a block go together.
Chunking chunks(const Problem&) { return {}; }

}  // namespace
}  // namespace allgather_pat_parts

constinit const Algorithm allgather_pat = {
    .name = "allgather_pat",
    .collective = CollectiveKind::kAllgather,
    .summary = "every block down a binomial tree of its own, the farthest first",
    .source = "PAT, parallel aggregated trees of NCCL",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps and p-1 blocks on complete networks; elsewhere its long ways carry little",
    .applies = rounds_apply,
    .chunks = allgather_pat_parts::chunks,
    .prepare = allgather_pat_parts::prepare,
};

}  // namespace quadrille::algorithms
