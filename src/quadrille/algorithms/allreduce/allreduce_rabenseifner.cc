// Allreduce by halving and doubling, Rabenseifner's: the vector is halved between partners at distance 1, 2, 4, .., the
// halves summed, and in the opposite order doubled again. The nearest partners exchange most.
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_rabenseifner;

namespace allreduce_rabenseifner_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return folded(collective.num_ranks(), collective.pieces(), [&](uint32_t ranks) {
    return butterfly_allreduce(doubling_butterfly(ranks), collective.pieces(), 0);
  });
}

Chunking chunks(const Problem& problem) { return {.unit = std::bit_floor(problem.collective().num_ranks())}; }

}  // namespace
}  // namespace allreduce_rabenseifner_parts

constinit const Algorithm allreduce_rabenseifner = {
    .name = "allreduce_rabenseifner",
    .collective = CollectiveKind::kAllreduce,
    .summary = "vector halving between partners at distance 1, 2, 4, .., then doubling",
    .source = "Rabenseifner 2004; MPI libraries for long vectors",
    .remarks =
        "any network, in as few steps as its links leave; one port; 2 log2 p steps and, with p pieces, 2 (p-1) of them on complete networks of a power of two",
    .may_keep_order = true,
    .applies = rounds_apply,
    .chunks = allreduce_rabenseifner_parts::chunks,
    .prepare = placed<allreduce_rabenseifner_parts::rounds>,
};

}  // namespace quadrille::algorithms
