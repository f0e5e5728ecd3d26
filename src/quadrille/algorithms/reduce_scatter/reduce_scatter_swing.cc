// Reduce_scatter by Swing: partners at distance 1, 1, 3, 5, 11, .. to alternating sides, dimension after dimension, divide what
// they still hold.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_swing;

namespace reduce_scatter_swing_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  std::vector<RankRounds> classes;
  for (uint32_t klass = 0; klass < swing_classes(problem); ++klass) {
    const RankRounds whole = butterfly_halving(swing_butterfly_of(problem, klass), collective.pieces());
    classes.push_back(whole.of_class(klass, swing_classes(problem), collective.pieces()));
  }
  return side_by_side(classes);
}

Chunking chunks(const Problem& problem) { return {.unit = swing_classes(problem)}; }

}  // namespace
}  // namespace reduce_scatter_swing_parts

constinit const Algorithm reduce_scatter_swing = {
    .name = "reduce_scatter_swing",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "partners at distance 1, -1, 3, -5, .. in each dimension divide what they hold",
    .source = "Swing, arXiv 2401.09356",
    .remarks =
        "a power of two of ranks on any network; with all ports a class of the pieces starts with each dimension and direction",
    .applies = butterfly_applies,
    .chunks = reduce_scatter_swing_parts::chunks,
    .prepare = placed<reduce_scatter_swing_parts::rounds>,
};

}  // namespace quadrille::algorithms
