// Allreduce around a ring: p-1 rounds in which sums travel, and p-1 in which results do.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_ring;

namespace allreduce_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(
      ring_allgather(collective.num_ranks(), pieces_for_each(collective.pieces(), collective.num_ranks())),
      collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_ring_parts

constinit const Algorithm allreduce_ring = {
    .name = "allreduce_ring",
    .collective = CollectiveKind::kAllreduce,
    .summary = "sums travel around a ring, and then the results",
    .source = "folklore; the choice of NCCL and MPI libraries for long vectors",
    .remarks =
        "any network, in as few steps as its links leave; one port; 2 (p-1) steps and, with p pieces, as many pieces where a ring through all nodes is found",
    .applies = rounds_apply,
    .chunks = allreduce_ring_parts::chunks,
    .prepare = placed_long<allreduce_ring_parts::rounds, hops_round_twice, ring_outline_both_ways>,
};

}  // namespace quadrille::algorithms
