// Reduce_scatter: the allgather along trees of few levels (allgather/allgather_levels.cc), backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_levels;
extern const Algorithm allgather_levels;

constinit const Algorithm reduce_scatter_levels = {
    .name = "reduce_scatter_levels",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather down trees of few levels, reversed in time and direction",
    .source = "ours; Swing's trees are such trees",
    .remarks = "tori, shared links, all ports; as few steps as wanted, and few blocks for so few",
    .applies = applies_backwards<allgather_levels>,
    .chunks = chunks_backwards<allgather_levels>,
    .prepare = backwards<allgather_levels>,
};

}  // namespace quadrille::algorithms
