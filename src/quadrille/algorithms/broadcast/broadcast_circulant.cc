// Broadcast of many chunks with one port: n - 1 + ceil(log2 p) rounds for any p (placed_ranks/circulant_broadcast.h).
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/circulant_broadcast.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_circulant;

namespace broadcast_circulant_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  return circulant_broadcast(problem.collective().num_ranks(), problem.collective().pieces());
}

}  // namespace
}  // namespace broadcast_circulant_parts

constinit const Algorithm broadcast_circulant = {
    .name = "broadcast_circulant",
    .collective = CollectiveKind::kBroadcast,
    .summary = "n chunks along the jumps of a circulant graph, a new one in every round",
    .source = "Traeff, arXiv 2407.18004",
    .remarks =
        "any network, in as few steps as its links leave; one port; n - 1 + ceil(log2 p) steps on complete networks, which no plan beats",
    .applies = rounds_apply,
    .chunks = circulant_broadcast_chunks,
    .prepare = placed_outlined<broadcast_circulant_parts::rounds, circulant_broadcast_outline>,
};

}  // namespace quadrille::algorithms
