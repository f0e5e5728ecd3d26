// Allreduce: the allgather along dimensions both ways (allgather/allgather_dimensions.cc), backwards and then forwards.
//
// Twice the diameter in steps. With 2d chunks for each rank every link of a torus carries 2 (N-1)/N times the vector over
// the degree, which no plan can beat.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/both_ways.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_dimensions;
extern const Algorithm allgather_dimensions;

constinit const Algorithm allreduce_dimensions = {
    .name = "allreduce_dimensions",
    .collective = CollectiveKind::kAllreduce,
    .summary = "a reduce_scatter and an allgather, both along dimensions both ways",
    .source = "ours; the bucket algorithm goes one way round",
    .remarks =
        "tori and meshes with equal sides, all ports; twice the diameter in steps, and with 2d chunks for each rank no link "
        "of a torus carries more than 2(N-1)/(N degree) of the vector, which no plan can beat",
    .applies = applies_both_ways<allgather_dimensions>,
    .chunks = chunks_both_ways<allgather_dimensions>,
    .prepare = both_ways<allgather_dimensions>,
};

}  // namespace quadrille::algorithms
