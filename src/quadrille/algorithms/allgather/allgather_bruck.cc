// Allgather, Bruck's: a rank that has the blocks of w ranks in a row sends them k ways, so that all have those of (k+1) w.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/messages_a_round.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_bruck;

namespace allgather_bruck_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t messages) {
  return allgather_by_messages(problem, messages, problem.collective().pieces());
}

}  // namespace
}  // namespace allgather_bruck_parts

constinit const Algorithm allgather_bruck = {
    .name = "allgather_bruck",
    .collective = CollectiveKind::kAllgather,
    .summary = "what a rank has becomes (k+1) times as much in every round, with k ports",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, and p-1 blocks with one port; no plan beats either",
    .applies = rounds_apply,
    .prepare = placed_by_messages<allgather_bruck_parts::rounds, outline_by_messages>,
};

}  // namespace quadrille::algorithms
