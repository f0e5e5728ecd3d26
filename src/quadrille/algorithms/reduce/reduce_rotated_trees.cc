// Reduce of many pieces on hypercubes with few ports: the broadcast down rotated binomial trees, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_rotated_trees;
extern const Algorithm broadcast_rotated_trees;

constinit const Algorithm reduce_rotated_trees = {
    .name = "reduce_rotated_trees",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast down rotated binomial trees, reversed in time and direction",
    .source = "Johnsson and Ho 1989 and Traeff and Ripke 2008, backwards",
    .remarks = "what broadcast_rotated_trees serves, in as many steps; with one port no plan beats it",
    .counts_alone = true,
    .mixes_pieces = true,
    .applies = applies_backwards<broadcast_rotated_trees>,
    .chunks = chunks_backwards<broadcast_rotated_trees>,
    .prepare = backwards<broadcast_rotated_trees>,
};

}  // namespace quadrille::algorithms
