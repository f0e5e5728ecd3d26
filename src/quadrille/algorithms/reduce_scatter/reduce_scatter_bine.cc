// Reduce_scatter along a Bine butterfly: the allgather backwards.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_bine;

namespace reduce_scatter_bine_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_halving(swing_butterfly(std::vector<uint32_t>{collective.num_ranks()}).backwards(),
                           collective.pieces());
}

}  // namespace
}  // namespace reduce_scatter_bine_parts

constinit const Algorithm reduce_scatter_bine = {
    .name = "reduce_scatter_bine",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "partners at distance 1, -1, 3, -5, .. in a circle divide what they hold, the farthest first",
    .source = "Bine trees, arXiv 2508.17311",
    .remarks =
        "a power of two of ranks on any network, one port; log2 p steps and p-1 blocks on complete networks",
    .applies = butterfly_applies,
    .prepare = placed<reduce_scatter_bine_parts::rounds>,
};

}  // namespace quadrille::algorithms
