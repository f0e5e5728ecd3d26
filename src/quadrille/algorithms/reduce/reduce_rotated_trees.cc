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
    .source = "Johnsson and Ho 1989; the last piece: Traeff and Ripke 2008; k ports: ours",
    .remarks =
        "hypercubes, rings of four, complete graphs of 2^k nodes and their products, full duplex; with one port C + d - "
        "1 steps for C pieces on 2^d nodes, which no plan beats; with k ports ceil(C/k) + d - 1",
    .counts_alone = true,
    .mixes_pieces = true,
    .applies = applies_backwards<broadcast_rotated_trees>,
    .chunks = chunks_backwards<broadcast_rotated_trees>,
    .prepare = backwards<broadcast_rotated_trees>,
};

}  // namespace quadrille::algorithms
