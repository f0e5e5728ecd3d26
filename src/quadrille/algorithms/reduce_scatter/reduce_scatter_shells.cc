// Reduce_scatter: the allgather in shells (allgather/allgather_shells.cc), backwards.
//
// What is t hops away from its destination sends its sums one hop closer in step D+1-t, over links that share the work.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_shells;
extern const Algorithm allgather_shells;

constinit const Algorithm reduce_scatter_shells = {
    .name = "reduce_scatter_shells",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather in shells, reversed in time and direction",
    .source = "breadth-first broadcast, arXiv 2202.03356, backwards",
    .remarks =
        "any network without routers, all ports; as many steps as the diameter; on tori and hypercubes with as "
        "many chunks as links at most a few in a hundred above (N-1)/degree blocks over a link, and mostly exactly that",
    .applies = applies_backwards<allgather_shells>,
    .chunks = chunks_backwards<allgather_shells>,
    .prepare = backwards<allgather_shells>,
};

}  // namespace quadrille::algorithms
