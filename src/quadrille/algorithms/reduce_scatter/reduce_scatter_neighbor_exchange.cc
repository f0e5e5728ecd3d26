// Reduce_scatter by neighbor exchange: the allgather (allgather/allgather_neighbor_exchange.cc), backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_neighbor_exchange;
extern const Algorithm allgather_neighbor_exchange;

constinit const Algorithm reduce_scatter_neighbor_exchange = {
    .name = "reduce_scatter_neighbor_exchange",
    .collective = CollectiveKind::kReduceScatter,
    .summary =
        "neighbours exchange sums in pairs, one side and then the other; the allgather, reversed in time and direction",
    .source = "neighbor exchange: Chen, Zhang, Zhang and Yuan 2005; along dimensions ours; backwards",
    .remarks =
        "networks with a ring or a walk through all nodes, one port; half as many steps as the ring, d times n/2 on tori of even "
        "sides; with two ports both ways at once",
    .applies = applies_backwards<allgather_neighbor_exchange>,
    .chunks = chunks_backwards<allgather_neighbor_exchange>,
    .prepare = backwards<allgather_neighbor_exchange>,
};

}  // namespace quadrille::algorithms
