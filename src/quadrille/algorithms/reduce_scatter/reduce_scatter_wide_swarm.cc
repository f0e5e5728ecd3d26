// Reduce_scatter with all ports on any graph of up to thousands of nodes: the allgather by scarce blocks first, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_wide_swarm;
extern const Algorithm allgather_wide_swarm;

constinit const Algorithm reduce_scatter_wide_swarm = {
    .name = "reduce_scatter_wide_swarm",
    .collective = CollectiveKind::kReduceScatter,
    .summary =
        "the allgather in which every node takes the scarcest blocks first, reversed in time and direction",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "any graph of unknown structure, up to 4,096 nodes, all ports; at the bound wherever it was tried with a "
        "hundred nodes or more",
    .mixes_pieces = true,
    .applies = applies_backwards<allgather_wide_swarm>,
    .prepare = backwards<allgather_wide_swarm>,
};

}  // namespace quadrille::algorithms
