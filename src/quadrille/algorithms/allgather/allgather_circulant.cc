// Allgather, on the circulant graph whose jumps are p halved and rounded up, again and again.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_circulant;

namespace allgather_circulant_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return circulant_allgather(collective.num_ranks(), collective.pieces());
}

}  // namespace
}  // namespace allgather_circulant_parts

constinit const Algorithm allgather_circulant = {
    .name = "allgather_circulant",
    .collective = CollectiveKind::kAllgather,
    .summary = "along jumps of a circulant graph: p halved and rounded up, again and again",
    .source = "Traeff, arXiv 2407.18004 and the non-pipelined reduce_scatter of 2025",
    .remarks =
        "any network, in as few steps as its links leave; one port; ceil(log2 p) steps and p-1 blocks on complete networks, for any p; no plan beats either",
    .applies = rounds_apply,
    .prepare = placed<allgather_circulant_parts::rounds>,
};

}  // namespace quadrille::algorithms
