// Scatter down a binomial tree: a rank receives what all in its part are to get, and passes on halves of it;
// ceil(log2 p) rounds and p-1 blocks out of the root.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_binomial;

namespace scatter_binomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_scatter(collective.num_ranks(), 2, collective.pieces());
}

}  // namespace
}  // namespace scatter_binomial_parts

constinit const Algorithm scatter_binomial = {
    .name = "scatter_binomial",
    .collective = CollectiveKind::kScatter,
    .summary = "halves of what is left to deliver, down a binomial tree",
    .source = "folklore; the default of MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps and p-1 blocks on complete networks, which no plan beats",
    .applies = rounds_apply,
    .prepare = placed_few<scatter_binomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
