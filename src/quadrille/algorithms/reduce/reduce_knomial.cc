// Reduce: the broadcast down a tree of as many branches as ports, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_knomial;

namespace reduce_knomial_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t messages) {
  const Collective& collective = problem.collective();
  return knomial_broadcast(collective.num_ranks(), messages + 1, collective.pieces()).reversed();
}

}  // namespace
}  // namespace reduce_knomial_parts

constinit const Algorithm reduce_knomial = {
    .name = "reduce_knomial",
    .collective = CollectiveKind::kReduce,
    .summary = "sums up a tree in which a rank receives from as many others as it has ports",
    .source = "folklore; k-nomial trees in MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, which no plan beats",
    .may_keep_order = true,
    .applies = rounds_apply,
    .prepare = placed_by_messages<reduce_knomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
