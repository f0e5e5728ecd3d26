// Allreduce along a Bine butterfly: halving between partners at distance 1, 1, 3, 5, 11, .. in a circle of all ranks, the nearest
// first, and doubling back.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_bine;

namespace allreduce_bine_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_allreduce(swing_butterfly(std::vector<uint32_t>{collective.num_ranks()}),
                             collective.pieces(), 0);
}

Chunking chunks(const Problem& problem) { return {.unit = problem.collective().num_ranks()}; }

}  // namespace
}  // namespace allreduce_bine_parts

constinit const Algorithm allreduce_bine = {
    .name = "allreduce_bine",
    .collective = CollectiveKind::kAllreduce,
    .summary = "halving and doubling between partners at distance 1, -1, 3, -5, .. in a circle",
    .source = "Bine trees, arXiv 2508.17311",
    .remarks =
        "a power of two of ranks on any network, one port; 2 log2 p steps and, with p pieces, 2 (p-1) of them on complete networks",
    .applies = butterfly_applies,
    .chunks = allreduce_bine_parts::chunks,
    .prepare = placed<allreduce_bine_parts::rounds>,
};

}  // namespace quadrille::algorithms
