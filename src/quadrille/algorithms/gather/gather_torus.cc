// Gather: the scatter down the four quadrants of a torus, read backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_torus;
extern const Algorithm scatter_torus;

constinit const Algorithm gather_torus = {
    .name = "gather_torus",
    .collective = CollectiveKind::kGather,
    .summary = "the scatter down the four quadrants of a torus, reversed in time and direction",
    .source = "collective communication dissertation 1996, section 3.4.2; narrow sides are ours",
    .remarks =
        "two dimensions, all sides from 3, any ports; optimal with one port (nm-1 steps) and with all: "
        "ceil((nm-1)/4)",
    .applies = [](const Problem& problem) { return scatter_torus.applies(reversed(problem)); },
    .prepare = backwards<scatter_torus>,
};

}  // namespace quadrille::algorithms
