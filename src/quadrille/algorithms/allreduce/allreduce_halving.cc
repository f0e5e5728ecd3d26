// Allreduce by halving and doubling with merged levels: once a vector is halved often enough, partners exchange all that is
// left instead of halving on.
//
// Member j merges the last j levels: 2 (L - j) + j rounds for p = 2^L ranks. The first merged level costs nothing: two ranks
// send each other both halves once, where they would have sent one half twice.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_halving;

namespace allreduce_halving_parts {
namespace {

RankRounds rounds(const Problem& problem, uint32_t merged) {
  const Collective& collective = problem.collective();
  return folded(collective.num_ranks(), collective.pieces(), [&](uint32_t ranks) {
    return butterfly_allreduce(doubling_butterfly(ranks), collective.pieces(), merged);
  });
}

Preparation prepare(const Problem& problem) {
  const auto levels = static_cast<uint32_t>(std::bit_width(problem.collective().num_ranks()) - 1);
  std::vector<RoundsMember> members;
  for (uint32_t merged = std::min(1U, levels); merged <= levels; ++merged) {
    members.push_back(
        {[merged](const Problem& p) { return rounds(p, merged); }, fmt::format("merged-{}", merged)});
  }
  return prepare_rounds(problem, std::move(members));
}

Chunking chunks(const Problem& problem) { return {.unit = std::bit_floor(problem.collective().num_ranks())}; }

}  // namespace
}  // namespace allreduce_halving_parts

constinit const Algorithm allreduce_halving = {
    .name = "allreduce_halving",
    .collective = CollectiveKind::kAllreduce,
    .summary =
        "halving and doubling in which the last levels, one or more, are an exchange of all that is left",
    .source = "ours; Rabenseifner 2004 with merged levels",
    .remarks =
        "any network, in as few steps as its links leave; one port; on complete networks of p = 2^L ranks 2L - j steps and, with p pieces, 2 (p - 2^j) + j 2^j of them, for j from 1 to L",
    .may_keep_order = true,
    .applies = rounds_apply,
    .chunks = allreduce_halving_parts::chunks,
    .prepare = allreduce_halving_parts::prepare,
};

}  // namespace quadrille::algorithms
