// Reduce_scatter by recursive halving: partners at distance p/2, p/4, .. divide what they still hold.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_recursive_halving;

namespace reduce_scatter_recursive_halving_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_halving(doubling_butterfly(collective.num_ranks()).backwards(), collective.pieces());
}

}  // namespace
}  // namespace reduce_scatter_recursive_halving_parts

constinit const Algorithm reduce_scatter_recursive_halving = {
    .name = "reduce_scatter_recursive_halving",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "partners at distance p/2, p/4, .. divide what they still hold",
    .source = "folklore; MPI libraries for short messages",
    .remarks =
        "a power of two of ranks on any network, one port; log2 p steps and p-1 blocks on complete networks, which no plan beats",
    .applies = butterfly_applies,
    .prepare = placed<reduce_scatter_recursive_halving_parts::rounds>,
};

}  // namespace quadrille::algorithms
