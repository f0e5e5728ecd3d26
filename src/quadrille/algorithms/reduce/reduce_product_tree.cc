// Reduce in a product: the broadcast along the product of its factors' trees, backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_product_tree;
extern const Algorithm broadcast_product_tree;

constinit const Algorithm reduce_product_tree = {
    .name = "reduce_product_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast along the product of trees, reversed in time and direction",
    .source = "collective communication dissertation 1996, theorem 3.1, backwards",
    .remarks =
        "any product, any ports; optimal with all ports and one piece, and with one port on hypercubes",
    .counts_alone = true,
    .applies = [](const Problem& problem) { return broadcast_product_tree.applies(problem); },
    .prepare = backwards<broadcast_product_tree>,
};

}  // namespace quadrille::algorithms
