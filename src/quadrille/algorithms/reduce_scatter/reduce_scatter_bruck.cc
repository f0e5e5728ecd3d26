// Reduce_scatter: the allgather_bruck, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_bruck;

namespace reduce_scatter_bruck_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t messages) {
  return allgather_by_messages(problem, messages, problem.collective().pieces()).reversed();
}

}  // namespace
}  // namespace reduce_scatter_bruck_parts

constinit const Algorithm reduce_scatter_bruck = {
    .name = "reduce_scatter_bruck",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "what a rank has becomes (k+1) times as much in every round, with k ports; backwards",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, and p-1 blocks with one port; no plan beats either",
    .applies = rounds_apply,
    .prepare = placed_by_messages<reduce_scatter_bruck_parts::rounds, outline_by_messages>,
};

}  // namespace quadrille::algorithms
