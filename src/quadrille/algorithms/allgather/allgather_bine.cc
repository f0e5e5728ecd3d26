// Allgather along a Bine butterfly: partners at distance 1, 1, 3, 5, 11, .. in a circle of all ranks, to alternating sides,
// the nearest first.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_bine;

namespace allgather_bine_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_halving(swing_butterfly(std::vector<uint32_t>{collective.num_ranks()}).backwards(),
                           collective.pieces())
      .reversed();
}

}  // namespace
}  // namespace allgather_bine_parts

constinit const Algorithm allgather_bine = {
    .name = "allgather_bine",
    .collective = CollectiveKind::kAllgather,
    .summary = "partners at distance 1, -1, 3, -5, .. in a circle exchange what they have",
    .source = "Bine trees, arXiv 2508.17311",
    .remarks =
        "a power of two of ranks on any network, one port; log2 p steps and p-1 blocks on complete networks",
    .applies = butterfly_applies,
    .prepare = placed<allgather_bine_parts::rounds>,
};

}  // namespace quadrille::algorithms
