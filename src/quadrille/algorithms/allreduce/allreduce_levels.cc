// Allreduce: the allgather along trees of few levels (allgather/allgather_levels.cc), backwards and forwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/both_ways.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_levels;
extern const Algorithm allgather_levels;

constinit const Algorithm allreduce_levels = {
    .name = "allreduce_levels",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather along trees of few levels",
    .source = "ours; Swing's trees are such trees",
    .remarks = "tori, shared links, all ports; as few steps as wanted, and few blocks for so few",
    .applies = applies_both_ways<allgather_levels>,
    .chunks = chunks_both_ways<allgather_levels>,
    .prepare = both_ways<allgather_levels>,
};

}  // namespace quadrille::algorithms
