// Reduce_scatter: the allgather_trivance, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_trivance;

namespace reduce_scatter_trivance_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return trivance_allgather(collective.num_ranks(), collective.pieces()).reversed();
}

}  // namespace
}  // namespace reduce_scatter_trivance_parts

constinit const Algorithm reduce_scatter_trivance = {
    .name = "reduce_scatter_trivance",
    .collective = CollectiveKind::kReduceScatter,
    .summary =
        "what a rank has becomes three times as much in every round, by a message to either side; backwards",
    .source = "Trivance, arXiv 2602.17254",
    .remarks =
        "any network, in as few steps as its links leave; two ports; ceil(log3 p) steps on complete networks",
    .applies = rounds_apply,
    .prepare = placed_outlined<reduce_scatter_trivance_parts::rounds, trivance_outline>,
};

}  // namespace quadrille::algorithms
