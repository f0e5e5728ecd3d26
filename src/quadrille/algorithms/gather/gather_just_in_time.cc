// Gather: the scatter that is just in time, read backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_just_in_time;
extern const Algorithm scatter_just_in_time;

constinit const Algorithm gather_just_in_time = {
    .name = "gather_just_in_time",
    .collective = CollectiveKind::kGather,
    .summary = "up a tree of shortest paths: everybody passes on, in each step, all that it has",
    .source = "ours; farthest first: theorem 3.7 of the collective communication dissertation 1996",
    .remarks =
        "any graph, any ports, many packets a step; with all ports as many start-ups as the farthest node is hops away, and as many "
        "rounds as the fullest branch of the tree has ranks, or few more",
    .applies = applies_backwards<scatter_just_in_time>,
    .chunks = chunks_backwards<scatter_just_in_time>,
    .prepare = backwards<scatter_just_in_time>,
};

}  // namespace quadrille::algorithms
