// Allgather around a ring both ways at once; what goes to the rank opposite goes half each way.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_two_way_ring;

namespace allgather_two_way_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return two_way_ring_allgather(collective.num_ranks(), collective.pieces());
}

Chunking chunks(const Problem& problem) {
  return {.unit = (problem.collective().num_ranks() % 2 == 0 ? 2U : 1U)};
}

}  // namespace
}  // namespace allgather_two_way_ring_parts

constinit const Algorithm allgather_two_way_ring = {
    .name = "allgather_two_way_ring",
    .collective = CollectiveKind::kAllgather,
    .summary = "passes every block around a ring both ways",
    .source = "folklore",
    .remarks =
        "any network, in as few steps as its links leave; floor(p/2) steps with two ports where a ring through all nodes is found",
    .applies = rounds_apply,
    .chunks = allgather_two_way_ring_parts::chunks,
    .prepare = placed_long<allgather_two_way_ring_parts::rounds, hops_half_round, two_way_ring_outline>,
};

}  // namespace quadrille::algorithms
