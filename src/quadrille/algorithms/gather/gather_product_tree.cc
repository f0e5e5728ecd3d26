// Gather: the scatter down the tree of a product, read backwards.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm gather_product_tree;
extern const Algorithm scatter_product_tree;

constinit const Algorithm gather_product_tree = {
    .name = "gather_product_tree",
    .collective = CollectiveKind::kGather,
    .summary = "the scatter down the tree of a product, reversed in time and direction",
    .source = "collective communication dissertation 1996, section 3.3",
    .remarks =
        "any product, any ports; optimal with one port (n-1 steps); the tree needs nothing but the factors' "
        "trees",
    .counts_alone = true,
    .applies = [](const Problem& problem) { return scatter_product_tree.applies(reversed(problem)); },
    .prepare = backwards<scatter_product_tree>,
};

}  // namespace quadrille::algorithms
