// Reduce_scatter on any graph, with few ports above all: the allgather by scarce blocks first, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_swarm;
extern const Algorithm allgather_swarm;

constinit const Algorithm reduce_scatter_swarm = {
    .name = "reduce_scatter_swarm",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather in which the scarcest blocks move first, reversed in time and direction",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks = "any graph but trees and fat trees, any ports; as good as the allgather",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = applies_backwards<allgather_swarm>,
    .prepare = backwards<allgather_swarm>,
};

}  // namespace quadrille::algorithms
