// Reduce of several pieces on any graph, with few ports above all: the broadcast by scarce pieces first, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_swarm;
extern const Algorithm broadcast_swarm;

constinit const Algorithm reduce_swarm = {
    .name = "reduce_swarm",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast in which the scarcest pieces move first, reversed in time and direction",
    .source =
        "ours; pieces from peer to peer: Mundinger, Weber and Weiss 2008; the greedy choice: Edmonds and Fulkerson 1965",
    .remarks = "any graph, few ports, two pieces or more, or routers on the way; as good as the broadcast",
    .is_asked_last = true,
    .mixes_pieces = true,
    .applies = applies_backwards<broadcast_swarm>,
    .chunks = chunks_backwards<broadcast_swarm>,
    .prepare = backwards<broadcast_swarm>,
};

}  // namespace quadrille::algorithms
