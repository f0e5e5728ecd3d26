// Reduce_scatter in few start-ups with few ports on any graph: the allgather (allgather/allgather_pair_gossip.cc), backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_pair_gossip;
extern const Algorithm allgather_pair_gossip;

constinit const Algorithm reduce_scatter_pair_gossip = {
    .name = "reduce_scatter_pair_gossip",
    .collective = CollectiveKind::kReduceScatter,
    .summary =
        "the gossip of neighbours that lack most of each other's blocks, reversed in time and direction",
    .source = "ours; gossip in rounds: Hedetniemi, Hedetniemi and Liestman 1988; backwards",
    .remarks =
        "any graph without routers, any ports; with one port 1.3 to 1.6 log2 N start-ups on random regular graphs",
    .applies = applies_backwards<allgather_pair_gossip>,
    .chunks = chunks_backwards<allgather_pair_gossip>,
    .prepare = backwards<allgather_pair_gossip>,
};

}  // namespace quadrille::algorithms
