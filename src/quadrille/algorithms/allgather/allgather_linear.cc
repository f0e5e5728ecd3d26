// Linear, as MPI libraries have it: every rank posts all that it sends at once. One step, where paths may share links; of more than
// 128 ranks a block's pieces go the same way (placed_ranks/pairs_at_once.h).
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/pairs_at_once.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_linear;

namespace allgather_linear_parts {
namespace {

// A message for each piece, so that each finds a way of its own.
RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const uint32_t pieces = collective.pieces();
  RankRounds out;
  std::vector<BlockId> own(pieces);
  for (uint32_t from = 0; from < collective.num_ranks(); ++from) {
    for (uint32_t piece = 0; piece < pieces; ++piece) own[piece] = BlockId{from * pieces + piece};
    const RankRounds::Blocks kept = out.keep(own);
    for (uint32_t to = 0; to < collective.num_ranks(); ++to)
      if (to != from) out.send(from, to, kept);
  }
  out.end_round();
  return out;
}

void blocks_of_pair(const Problem& problem, Rank from, Rank /*to*/, std::vector<BlockId>& out) {
  const uint32_t pieces = problem.collective().pieces();
  for (uint32_t piece = 0; piece < pieces; ++piece)
    out.push_back(BlockId{static_cast<uint32_t>(index(from)) * pieces + piece});
}

Preparation prepared(const Problem& problem) {
  if (goes_by_pairs(problem)) return prepare_pairs_at_once(problem, blocks_of_pair);
  return placed_outlined<rounds, all_at_once_outline>(problem);
}

}  // namespace
}  // namespace allgather_linear_parts

constinit const Algorithm allgather_linear = {
    .name = "allgather_linear",
    .collective = CollectiveKind::kAllgather,
    .summary = "every rank sends its block to all others in one step, over paths that share links",
    .source = "baseline; linear in Open MPI",
    .remarks = "shared switching, N-1 ports, up to 2,048 ranks; one start-up, N-1 messages of each node",
    .applies = pairs_at_once_apply,
    .prepare = allgather_linear_parts::prepared,
};

}  // namespace quadrille::algorithms
