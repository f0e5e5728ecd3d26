// Linear, as MPI libraries have it: everybody posts its block to the root at once.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm gather_linear;

namespace gather_linear_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_scatter(collective.num_ranks(), flat_radix(problem), collective.pieces()).reversed();
}

}  // namespace
}  // namespace gather_linear_parts

constinit const Algorithm gather_linear = {
    .name = "gather_linear",
    .collective = CollectiveKind::kGather,
    .summary = "all send their blocks to the root in one step, over paths that share links",
    .source = "baseline; linear in MPI libraries",
    .remarks = "shared switching, N-1 ports; one start-up, N-1 messages of the root",
    .applies = all_at_once_apply,
    .prepare = placed_few<gather_linear_parts::rounds>,
};

}  // namespace quadrille::algorithms
