// Reduce_scatter: the allgather along dimensions both ways (allgather/allgather_dimensions.cc), backwards.
//
// Where a bundle was sent on along a line, the next node now sends back what it has gathered; so the sums of a block come
// together dimension by dimension.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_scatter_dimensions;
extern const Algorithm allgather_dimensions;

constinit const Algorithm reduce_scatter_dimensions = {
    .name = "reduce_scatter_dimensions",
    .collective = CollectiveKind::kReduceScatter,
    .summary = "the allgather along dimensions both ways, reversed in time and direction",
    .source = "ours; the bucket algorithm goes one way round",
    .remarks =
        "tori and meshes with equal sides, all ports; as many steps as the diameter, and with 2d chunks "
        "(N-1)/degree blocks over every link of a torus, which no plan can beat",
    .applies = applies_backwards<allgather_dimensions>,
    .chunks = chunks_backwards<allgather_dimensions>,
    .prepare = backwards<allgather_dimensions>,
};

}  // namespace quadrille::algorithms
