// Reduce_scatter by the bucket algorithm: the allgather backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_bucket;

namespace reduce_scatter_bucket_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return bucket_allgather(sides_of(problem.topology()), swing_classes(problem), collective.pieces())
      .reversed();
}

Chunking chunks(const Problem& problem) { return {.unit = swing_classes(problem)}; }

}  // namespace
}  // namespace reduce_scatter_bucket_parts

constinit const Algorithm reduce_scatter_bucket = {
    .name = "reduce_scatter_bucket",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "sums travel around the lines of one dimension after the other",
    .source = "Barnett and others; many dimensions at once: Sack and Gropp 2015",
    .remarks =
        "any network, in as few steps as its links leave; tori and meshes; sum of (side - 1) steps on tori",
    .applies = line_rounds_apply,
    .chunks = reduce_scatter_bucket_parts::chunks,
    .prepare = placed_long<reduce_scatter_bucket_parts::rounds, hops_along_sides, bucket_outline>,
};

}  // namespace quadrille::algorithms
