// Linear, as MPI libraries have it (a flat tree): the root posts the message to all others at once.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_linear;

namespace broadcast_linear_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_broadcast(collective.num_ranks(), flat_radix(problem), collective.pieces());
}

}  // namespace
}  // namespace broadcast_linear_parts

constinit const Algorithm broadcast_linear = {
    .name = "broadcast_linear",
    .collective = CollectiveKind::kBroadcast,
    .summary = "the root sends its message to all others in one step, over paths that share links",
    .source = "baseline; linear in MPI libraries",
    .remarks = "shared switching, N-1 ports; one start-up, N-1 messages of the root",
    .applies = all_at_once_apply,
    .prepare = placed<broadcast_linear_parts::rounds>,
};

}  // namespace quadrille::algorithms
