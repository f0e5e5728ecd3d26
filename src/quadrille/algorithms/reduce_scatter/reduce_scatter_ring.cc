// Reduce_scatter around a ring: in every round each rank passes on what it has summed up of one block.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_ring;
extern const Algorithm allgather_ring;

namespace reduce_scatter_ring_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return ring_allgather(collective.num_ranks(), collective.pieces()).reversed();
}

// Packets go from neighbour to neighbour: along a ring through all nodes, where one is found.
bool may_go_along_links(const Problem& problem) {
  return !takes_paths(problem.model()) && allgather_ring.applies(reversed(problem)).applies;
}

Applicability applies(const Problem& problem) {
  return may_go_along_links(problem) ? Applicability::yes() : rounds_apply(problem);
}

Preparation prepare(const Problem& problem) {
  if (may_go_along_links(problem)) {
    Preparation along = prepare_backwards(allgather_ring, problem);
    if (along.fits.applies) return along;
    if (Applicability fits = rounds_apply(problem); !fits.applies) return Preparation::no(fits.reason);
  }
  return placed_long<rounds, hops_round, ring_outline>(problem);
}

}  // namespace
}  // namespace reduce_scatter_ring_parts

constinit const Algorithm reduce_scatter_ring = {
    .name = "reduce_scatter_ring",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "sums of one block travel around a ring in p-1 rounds",
    .source = "folklore; the bucket algorithm",
    .remarks =
        "any network, in as few steps as its links leave; one port; p-1 steps and blocks where a ring through all nodes is found",
    .applies = reduce_scatter_ring_parts::applies,
    .prepare = reduce_scatter_ring_parts::prepare,
};

}  // namespace quadrille::algorithms
