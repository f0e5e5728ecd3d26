// Allreduce around a ring both ways at once; what goes to the rank opposite goes half each way.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_two_way_ring;

namespace allreduce_two_way_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(two_way_ring_allgather(collective.num_ranks(),
                                          pieces_for_each(collective.pieces(), collective.num_ranks())),
                   collective.pieces());
}

Chunking chunks(const Problem& problem) {
  return {.unit = (problem.collective().num_ranks() % 2 == 0 ? 2U : 1U) * problem.collective().num_ranks()};
}

}  // namespace
}  // namespace allreduce_two_way_ring_parts

constinit const Algorithm allreduce_two_way_ring = {
    .name = "allreduce_two_way_ring",
    .collective = CollectiveKind::kAllreduce,
    .summary = "sums come around a ring from both sides, and the results go back",
    .source = "folklore",
    .remarks =
        "any network, in as few steps as its links leave; 2 floor(p/2) steps with two ports where a ring through all nodes is found",
    .applies = rounds_apply,
    .chunks = allreduce_two_way_ring_parts::chunks,
    .prepare = placed_long<allreduce_two_way_ring_parts::rounds, hops_half_round_twice,
                           two_way_ring_outline_both_ways>,
};

}  // namespace quadrille::algorithms
