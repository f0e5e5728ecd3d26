// Gather: the furthest-first scatter read backwards, so that the messages arrive nearest origin first.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_furthest_first;
extern const Algorithm scatter_furthest_first;

constinit const Algorithm gather_furthest_first = {
    .name = "gather_furthest_first",
    .collective = CollectiveKind::kGather,
    .summary = "the furthest-first scatter, reversed in time and direction",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks = "any graph, any ports; optimal with one port (n-1 steps)",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .prepare = backwards<scatter_furthest_first>,
};

}  // namespace quadrille::algorithms
