// Reduce of long vectors, Rabenseifner's: a reduce_scatter by halving, then the sums come up a binomial tree.
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_rabenseifner;

namespace reduce_rabenseifner_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  return halving_reduce(problem.collective().num_ranks(), problem.collective().pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = std::bit_floor(problem.collective().num_ranks())}; }

}  // namespace
}  // namespace reduce_rabenseifner_parts

constinit const Algorithm reduce_rabenseifner = {
    .name = "reduce_rabenseifner",
    .collective = CollectiveKind::kReduce,
    .summary = "a reduce_scatter by halving, then the sums come up a binomial tree",
    .source = "Rabenseifner 2004; MPI libraries for long vectors",
    .remarks =
        "any network, in as few steps as its links leave; one port; 2 log2 p steps and, with p pieces, 2 (p-1) of them on complete networks of a power of two",
    .applies = rounds_apply,
    .chunks = reduce_rabenseifner_parts::chunks,
    .prepare = placed<reduce_rabenseifner_parts::rounds>,
};

}  // namespace quadrille::algorithms
