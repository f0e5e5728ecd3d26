// Allreduce: the allgather in shells (allgather/allgather_shells.cc), backwards and then forwards.
//
// Twice the diameter in steps, on any network that is the same in both directions and on others.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/both_ways.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_shells;
extern const Algorithm allgather_shells;

constinit const Algorithm allreduce_shells = {
    .name = "allreduce_shells",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather, both in shells",
    .source = "breadth-first broadcast, arXiv 2202.03356, backwards and forwards",
    .remarks =
        "any network without routers, all ports; twice the diameter in steps; on most tori and hypercubes, with as "
        "many chunks for each rank as it has links, 2(N-1)/(N degree) of the vector over each link",
    .applies = applies_both_ways<allgather_shells>,
    .chunks = chunks_both_ways<allgather_shells>,
    .prepare = both_ways<allgather_shells>,
};

}  // namespace quadrille::algorithms
