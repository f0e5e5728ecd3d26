// Linear, as MPI libraries have it: the root posts everybody's block at once.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_linear;

namespace scatter_linear_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_scatter(collective.num_ranks(), flat_radix(problem), collective.pieces());
}

}  // namespace
}  // namespace scatter_linear_parts

constinit const Algorithm scatter_linear = {
    .name = "scatter_linear",
    .collective = CollectiveKind::kScatter,
    .summary = "the root sends everybody's block in one step, over paths that share links",
    .source = "baseline; linear in MPI libraries",
    .remarks = "shared switching, N-1 ports; one start-up, N-1 messages of the root",
    .applies = all_at_once_apply,
    .prepare = placed_few<scatter_linear_parts::rounds>,
};

}  // namespace quadrille::algorithms
