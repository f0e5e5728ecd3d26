// Reduce: the binomial broadcast, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_binomial;

namespace reduce_binomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_broadcast(collective.num_ranks(), 2, collective.pieces()).reversed();
}

}  // namespace
}  // namespace reduce_binomial_parts

constinit const Algorithm reduce_binomial = {
    .name = "reduce_binomial",
    .collective = CollectiveKind::kReduce,
    .summary = "sums up a binomial tree",
    .source = "folklore; the default of MPI libraries for short messages",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps on complete networks, which no plan beats",
    .may_keep_order = true,
    .applies = rounds_apply,
    .prepare = placed<reduce_binomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
