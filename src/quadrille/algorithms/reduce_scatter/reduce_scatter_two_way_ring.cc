// Reduce_scatter around a ring both ways at once; what goes to the rank opposite goes half each way.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_two_way_ring;

namespace reduce_scatter_two_way_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return two_way_ring_allgather(collective.num_ranks(), collective.pieces()).reversed();
}

Chunking chunks(const Problem& problem) {
  return {.unit = (problem.collective().num_ranks() % 2 == 0 ? 2U : 1U)};
}

}  // namespace
}  // namespace reduce_scatter_two_way_ring_parts

constinit const Algorithm reduce_scatter_two_way_ring = {
    .name = "reduce_scatter_two_way_ring",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "sums come around a ring from both sides",
    .source = "folklore",
    .remarks =
        "any network, in as few steps as its links leave; floor(p/2) steps with two ports where a ring through all nodes is found",
    .applies = rounds_apply,
    .chunks = reduce_scatter_two_way_ring_parts::chunks,
    .prepare = placed_long<reduce_scatter_two_way_ring_parts::rounds, hops_half_round, two_way_ring_outline>,
};

}  // namespace quadrille::algorithms
