// Gather: the quickest scatter, read backwards, and as quick as any gather can be.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_flow;
extern const Algorithm scatter_flow;

constinit const Algorithm gather_flow = {
    .name = "gather_flow",
    .collective = CollectiveKind::kGather,
    .summary = "the fastest scatter by maximum flow, reversed in time and direction",
    .source =
        "figure 3.4(b) of the collective communication dissertation 1996 shows that trees are not enough; "
        "L. R. Ford, D. R. Fulkerson, Flows in Networks 1962, for flows over time",
    .remarks =
        "any graph, any capacities, any ports, packet switching; always optimal; up to 2,000,000 "
        "flow arcs, steps times links and nodes",
    .applies = [](const Problem& problem) { return scatter_flow.applies(reversed(problem)); },
    .prepare = backwards<scatter_flow>,
};

}  // namespace quadrille::algorithms
