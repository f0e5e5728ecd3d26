// Reduce up disjoint trees: the broadcast down them, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_disjoint_trees;
extern const Algorithm broadcast_disjoint_trees;

constinit const Algorithm reduce_disjoint_trees = {
    .name = "reduce_disjoint_trees",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast in pieces down trees that share no link, reversed in time and direction",
    .source = "ours; trees: Edmonds 1973, Johnsson and Ho 1989 on hypercubes, otherwise searched for",
    .remarks =
        "all ports, two pieces or more, graphs in which two disjoint paths lead from every node; as good as the "
        "broadcast",
    .may_keep_order = true,
    .applies = [](const Problem& problem) { return broadcast_disjoint_trees.applies(reversed(problem)); },
    .chunks = chunks_backwards<broadcast_disjoint_trees>,
    .prepare = backwards<broadcast_disjoint_trees>,
};

}  // namespace quadrille::algorithms
