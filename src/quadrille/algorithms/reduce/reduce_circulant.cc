// Reduce of many chunks with one port: the circulant broadcast, backwards (placed_ranks/circulant_broadcast.h).
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/circulant_broadcast.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_circulant;

namespace reduce_circulant_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  return circulant_broadcast(problem.collective().num_ranks(), problem.collective().pieces()).reversed();
}

}  // namespace
}  // namespace reduce_circulant_parts

constinit const Algorithm reduce_circulant = {
    .name = "reduce_circulant",
    .collective = CollectiveKind::kReduce,
    .summary = "n chunks along the jumps of a circulant graph, backwards",
    .source = "Traeff, arXiv 2407.18004",
    .remarks =
        "any network, in as few steps as its links leave; one port; n - 1 + ceil(log2 p) steps on complete networks, which no plan beats",
    .applies = rounds_apply,
    .chunks = circulant_broadcast_chunks,
    .prepare = placed_outlined<reduce_circulant_parts::rounds, circulant_broadcast_outline>,
};

}  // namespace quadrille::algorithms
