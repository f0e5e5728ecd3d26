// Allgather by the bucket algorithm: around the lines of one dimension after the other, one way; with all ports a class of the
// pieces starts with every dimension, and one goes each way.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_bucket;

namespace allgather_bucket_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return bucket_allgather(sides_of(problem.topology()), swing_classes(problem), collective.pieces());
}

Chunking chunks(const Problem& problem) { return {.unit = swing_classes(problem)}; }

}  // namespace
}  // namespace allgather_bucket_parts

constinit const Algorithm allgather_bucket = {
    .name = "allgather_bucket",
    .collective = CollectiveKind::kAllgather,
    .summary = "around the lines of one dimension after the other",
    .source = "Barnett and others; many dimensions at once: Sack and Gropp 2015",
    .remarks =
        "any network, in as few steps as its links leave; tori and meshes; sum of (side - 1) steps on tori",
    .applies = line_rounds_apply,
    .chunks = allgather_bucket_parts::chunks,
    .prepare = placed_long<allgather_bucket_parts::rounds, hops_along_sides, bucket_outline>,
};

}  // namespace quadrille::algorithms
