// Allreduce: a reduce_scatter and an allgather, Trivance: what a rank has around itself becomes three times as much in every round, by a message to either side.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_trivance;

namespace allreduce_trivance_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(trivance_allgather(collective.num_ranks(),
                                      pieces_for_each(collective.pieces(), collective.num_ranks())),
                   collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_trivance_parts

constinit const Algorithm allreduce_trivance = {
    .name = "allreduce_trivance",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "what a rank has becomes three times as much in every round, by a message to either side; backwards and forwards",
    .source = "Trivance, arXiv 2602.17254",
    .remarks =
        "any network, in as few steps as its links leave; two ports; ceil(log3 p) steps for each half on complete networks",
    .applies = rounds_apply,
    .chunks = allreduce_trivance_parts::chunks,
    .prepare = placed_outlined<allreduce_trivance_parts::rounds, trivance_outline_both_ways>,
};

}  // namespace quadrille::algorithms
