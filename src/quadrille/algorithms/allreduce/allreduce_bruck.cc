// Allreduce: a reduce_scatter and an allgather, Bruck's: a rank that has the blocks of w ranks in a row sends them k ways, so that all have those of (k+1) w.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_bruck;

namespace allreduce_bruck_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t messages) {
  const Collective& collective = problem.collective();
  return both_ways(
      allgather_by_messages(problem, messages, pieces_for_each(collective.pieces(), collective.num_ranks())),
      collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_bruck_parts

constinit const Algorithm allreduce_bruck = {
    .name = "allreduce_bruck",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "what a rank has becomes (k+1) times as much in every round, with k ports; backwards and forwards",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps for each half on complete networks, and p-1 of p pieces with one port; no plan beats either",
    .applies = rounds_apply,
    .chunks = allreduce_bruck_parts::chunks,
    .prepare = placed_by_messages<allreduce_bruck_parts::rounds, vector_outline_by_messages>,
};

}  // namespace quadrille::algorithms
