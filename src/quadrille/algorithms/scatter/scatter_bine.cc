// Scatter down a Bine tree: a binomial tree whose distances, 1, 1, 3, 5, 11, .. in a circle and to alternating sides, add up to
// less than the powers of two do.
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm scatter_bine;

namespace scatter_bine_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return butterfly_scatter(swing_butterfly(std::vector<uint32_t>{collective.num_ranks()}).backwards(),
                           collective.pieces());
}

}  // namespace
}  // namespace scatter_bine_parts

constinit const Algorithm scatter_bine = {
    .name = "scatter_bine",
    .collective = CollectiveKind::kScatter,
    .summary = "what is left to deliver is divided along distances 1, -1, 3, -5, .., the farthest first",
    .source = "Bine trees, arXiv 2508.17311",
    .remarks =
        "a power of two of ranks on any network, one port; fewer links to pass than in a binomial tree",
    .applies = butterfly_applies,
    .prepare = placed<scatter_bine_parts::rounds>,
};

}  // namespace quadrille::algorithms
