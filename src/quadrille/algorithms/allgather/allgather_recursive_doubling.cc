// Allgather by recursive doubling: partners at distance 1, 2, 4, .. exchange all that they have.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_recursive_doubling;

namespace allgather_recursive_doubling_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_halving(doubling_butterfly(collective.num_ranks()).backwards(), collective.pieces())
      .reversed();
}

}  // namespace
}  // namespace allgather_recursive_doubling_parts

constinit const Algorithm allgather_recursive_doubling = {
    .name = "allgather_recursive_doubling",
    .collective = CollectiveKind::kAllgather,
    .summary = "partners at distance 1, 2, 4, .. exchange all that they have",
    .source = "folklore; MPI libraries for short messages",
    .remarks =
        "a power of two of ranks on any network, one port; log2 p steps and p-1 blocks on complete networks, which no plan beats",
    .applies = butterfly_applies,
    .prepare = placed<allgather_recursive_doubling_parts::rounds>,
};

}  // namespace quadrille::algorithms
