// Broadcast down a tree in which a rank sends to as many others in a round as it has ports for:
// ceil(log_(k+1) p) rounds.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_knomial;

namespace broadcast_knomial_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t messages) {
  const Collective& collective = problem.collective();
  return knomial_broadcast(collective.num_ranks(), messages + 1, collective.pieces());
}

}  // namespace
}  // namespace broadcast_knomial_parts

constinit const Algorithm broadcast_knomial = {
    .name = "broadcast_knomial",
    .collective = CollectiveKind::kBroadcast,
    .summary = "who has the message sends it to as many others as it has ports, in every round",
    .source = "folklore; k-nomial trees in MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, which no plan beats",
    .applies = rounds_apply,
    .prepare = placed_by_messages<broadcast_knomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
