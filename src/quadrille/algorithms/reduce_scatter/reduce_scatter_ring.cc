// Reduce_scatter around a ring: in every round each rank passes on what it has summed up of one block.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_ring;

namespace reduce_scatter_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return ring_allgather(collective.num_ranks(), collective.pieces()).reversed();
}

}  // namespace
}  // namespace reduce_scatter_ring_parts

constinit const Algorithm reduce_scatter_ring = {
    .name = "reduce_scatter_ring",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "sums of one block travel around a ring in p-1 rounds",
    .source = "folklore; the bucket algorithm",
    .remarks =
        "any network, in as few steps as its links leave; one port; p-1 steps and blocks where a ring through all nodes is found",
    .applies = rounds_apply,
    .prepare = placed_long<reduce_scatter_ring_parts::rounds, hops_round, ring_outline>,
};

}  // namespace quadrille::algorithms
