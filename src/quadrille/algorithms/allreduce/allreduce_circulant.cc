// Allreduce: a reduce_scatter and an allgather, on the circulant graph whose jumps are p halved and rounded up, again and again.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_circulant;

namespace allreduce_circulant_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(circulant_allgather(collective.num_ranks(),
                                       pieces_for_each(collective.pieces(), collective.num_ranks())),
                   collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_circulant_parts

constinit const Algorithm allreduce_circulant = {
    .name = "allreduce_circulant",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "along jumps of a circulant graph: p halved and rounded up, again and again; backwards and forwards",
    .source = "Traeff, arXiv 2407.18004 and the non-pipelined reduce_scatter of 2025",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps for each half and p-1 of p pieces on complete networks, for any p; no plan beats either",
    .applies = rounds_apply,
    .chunks = allreduce_circulant_parts::chunks,
    .prepare = placed<allreduce_circulant_parts::rounds>,
};

}  // namespace quadrille::algorithms
