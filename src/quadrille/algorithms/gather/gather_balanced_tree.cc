// Gather: the scatter down a balanced tree, read backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_balanced_tree;
extern const Algorithm scatter_balanced_tree;

constinit const Algorithm gather_balanced_tree = {
    .name = "gather_balanced_tree",
    .collective = CollectiveKind::kGather,
    .summary = "the scatter down a balanced tree, reversed in time and direction",
    .source = "the idea of theorem 3.7 of the collective communication dissertation 1996; the tree is ours",
    .remarks =
        "any undirected graph without routers, any ports; with all ports ceil((n-1)/degree) steps wherever "
        "the tree comes out even, as on all tori tried; optimal with one port (n-1 steps)",
    .applies = [](const Problem& problem) { return scatter_balanced_tree.applies(reversed(problem)); },
    .prepare = backwards<scatter_balanced_tree>,
};

}  // namespace quadrille::algorithms
