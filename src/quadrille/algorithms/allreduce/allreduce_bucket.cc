// Allreduce by the bucket algorithm: sums travel around the lines of one dimension after the other, and the results go back.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/placed_ranks/butterfly.h"
#include "quadrille/algorithms/placed_ranks/gather_rounds.h"
#include "quadrille/algorithms/placed_ranks/known_rounds.h"
#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_bucket;

namespace allreduce_bucket_parts {
namespace {

RankRounds rounds(const Problem& problem) {
  const Collective& collective = problem.collective();
  return both_ways(bucket_allgather(sides_of(problem.topology()), swing_classes(problem),
                                    pieces_for_each(collective.pieces(), collective.num_ranks())),
                   collective.pieces());
}

Chunking chunks(const Problem& problem) {
  return {.unit = swing_classes(problem) * problem.collective().num_ranks()};
}

}  // namespace
}  // namespace allreduce_bucket_parts

constinit const Algorithm allreduce_bucket = {
    .name = "allreduce_bucket",
    .collective = CollectiveKind::kAllreduce,
    .summary = "sums travel around the lines of one dimension after the other, then the results",
    .source = "Barnett and others; many dimensions at once: Sack and Gropp 2015",
    .remarks =
        "any network, in as few steps as its links leave; tori and meshes; twice the sum of (side - 1) steps on tori",
    .applies = line_rounds_apply,
    .chunks = allreduce_bucket_parts::chunks,
    .prepare = placed_long<allreduce_bucket_parts::rounds, hops_along_sides_twice, bucket_outline_both_ways>,
};

}  // namespace quadrille::algorithms
