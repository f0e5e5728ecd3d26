// Broadcast down a binomial tree: who has the message sends it on, the farthest first; ceil(log2 p) rounds.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_binomial;

namespace broadcast_binomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_broadcast(collective.num_ranks(), 2, collective.pieces());
}

}  // namespace
}  // namespace broadcast_binomial_parts

constinit const Algorithm broadcast_binomial = {
    .name = "broadcast_binomial",
    .collective = CollectiveKind::kBroadcast,
    .summary = "who has the message sends it to one more in every round: a binomial tree",
    .source = "folklore; the default of MPI libraries for short messages",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps on complete networks, which no plan beats",
    .applies = rounds_apply,
    .prepare = placed<broadcast_binomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
