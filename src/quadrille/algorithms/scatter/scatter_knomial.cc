// Scatter down a tree of as many branches as ports: ceil(log_(k+1) p) rounds.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_knomial;

namespace scatter_knomial_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return knomial_scatter(collective.num_ranks(), busy_ports(problem) + 1, collective.pieces());
}

}  // namespace
}  // namespace scatter_knomial_parts

constinit const Algorithm scatter_knomial = {
    .name = "scatter_knomial",
    .collective = CollectiveKind::kScatter,
    .summary = "parts of what is left to deliver, down a tree of as many branches as ports",
    .source = "folklore; k-nomial trees in MPI libraries",
    .remarks =
        "any network, in as few steps as its links leave; any number k of ports; ceil(log_(k+1) p) steps on complete networks, which no plan beats",
    .applies = rounds_apply,
    .prepare = placed_few<scatter_knomial_parts::rounds>,
};

}  // namespace quadrille::algorithms
