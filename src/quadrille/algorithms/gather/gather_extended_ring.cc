// Gather: the scatter along the paths of an extended ring, read backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_extended_ring;
extern const Algorithm scatter_extended_ring;

constinit const Algorithm gather_extended_ring = {
    .name = "gather_extended_ring",
    .collective = CollectiveKind::kGather,
    .summary = "the scatter on an extended ring, reversed in time and direction",
    .source = "collective communication dissertation 1996, theorem 3.8",
    .remarks =
        "any extended ring, any ports; optimal with one port (n-1 steps) and with all: ceil((n-1)/degree)",
    .applies = [](const Problem& problem) { return scatter_extended_ring.applies(reversed(problem)); },
    .prepare = backwards<scatter_extended_ring>,
};

}  // namespace quadrille::algorithms
