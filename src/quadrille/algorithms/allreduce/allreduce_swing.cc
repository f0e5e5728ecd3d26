// Allreduce by Swing, the form for long vectors: halving and doubling between partners at distance 1, 1, 3, 5, 11, .. to
// alternating sides, dimension after dimension. In the middle partners exchange both of their last halves at once.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_swing;

namespace allreduce_swing_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  const size_t merged = collective.num_ranks() > 1 ? 1 : 0;
  std::vector<RankRounds> classes;
  for (uint32_t klass = 0; klass < swing_classes(problem); ++klass) {
    const RankRounds whole =
        butterfly_allreduce(swing_butterfly_of(problem, klass), collective.pieces(), merged);
    classes.push_back(whole.of_class(klass, swing_classes(problem),
                                     pieces_for_each(collective.pieces(), collective.num_ranks())));
  }
  return side_by_side(classes);
}

Chunking chunks(const Problem& problem) {
  return {.unit = swing_classes(problem) * problem.collective().num_ranks()};
}

}  // namespace
}  // namespace allreduce_swing_parts

constinit const Algorithm allreduce_swing = {
    .name = "allreduce_swing",
    .collective = CollectiveKind::kAllreduce,
    .summary = "halving and doubling between partners at distance 1, -1, 3, -5, .. in each dimension",
    .source = "Swing, arXiv 2401.09356; the merged middle is ours",
    .remarks =
        "a power of two of ranks on any network; with all ports a class of the pieces starts with each dimension and direction",
    .applies = butterfly_applies,
    .chunks = allreduce_swing_parts::chunks,
    .prepare = placed<allreduce_swing_parts::rounds>,
};

}  // namespace quadrille::algorithms
