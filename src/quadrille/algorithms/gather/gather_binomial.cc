// Gather: the binomial scatter, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm gather_binomial;

namespace gather_binomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_scatter(collective.num_ranks(), 2, collective.pieces()).reversed();
}

}  // namespace
}  // namespace gather_binomial_parts

constinit const Algorithm gather_binomial = {
    .name = "gather_binomial",
    .collective = CollectiveKind::kGather,
    .summary = "blocks up a binomial tree, twice as many in every round",
    .source = "folklore; the default of MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps and p-1 blocks on complete networks, which no plan beats",
    .applies = rounds_apply,
    .prepare = placed_few<gather_binomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
