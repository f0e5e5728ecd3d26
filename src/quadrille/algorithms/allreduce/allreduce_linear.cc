// Linear: every rank adds up its part of the vector, which all others send it at once, and sends the sum to all. Two steps, where
// paths may share links.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_linear;

namespace allreduce_linear_parts {
namespace {

// Bruck's with a message to each.
RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const uint32_t ranks = collective.num_ranks();
  return both_ways(bruck_allgather(ranks, ranks - 1, pieces_for_each(collective.pieces(), ranks)),
                   collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_linear_parts

constinit const Algorithm allreduce_linear = {
    .name = "allreduce_linear",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "every rank adds up its part, which all others send it in one step, and sends it to all in another, over paths that share links",
    .source = "baseline; rab in SimGrid's MPI",
    .remarks =
        "shared switching, N-1 ports, up to some 250 ranks; two start-ups, N-1 messages of each node in either",
    .applies = parts_at_once_apply,
    .chunks = allreduce_linear_parts::chunks,
    .prepare = placed<allreduce_linear_parts::rounds>,
};

}  // namespace quadrille::algorithms
