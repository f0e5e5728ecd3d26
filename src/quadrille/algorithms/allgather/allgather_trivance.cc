// Allgather, Trivance: what a rank has around itself becomes three times as much in every round, by a message to either side.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_trivance;

namespace allgather_trivance_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return trivance_allgather(collective.num_ranks(), collective.pieces());
}

}  // namespace
}  // namespace allgather_trivance_parts

constinit const Algorithm allgather_trivance = {
    .name = "allgather_trivance",
    .collective = CollectiveKind::kAllgather,
    .summary = "what a rank has becomes three times as much in every round, by a message to either side",
    .source = "Trivance, arXiv 2602.17254",
    .remarks =
        "any network, in as few steps as its links leave; two ports; ceil(log3 p) steps on complete networks",
    .applies = rounds_apply,
    .prepare = placed_outlined<allgather_trivance_parts::rounds, trivance_outline>,
};

}  // namespace quadrille::algorithms
