// Reduce in a product: the broadcast along the product of its factors' trees, backwards.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const Problem broadcast = reversed(problem);
  Plan plan;
  broadcast_product_tree.generate(broadcast, plan);
  reverse(broadcast, plan).replay(sink);
}

}  // namespace

constinit const Algorithm reduce_product_tree = {
    .name = "reduce_product_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast along the product of trees, backwards in time and direction",
    .source = "collective communication dissertation 1996, theorem 3.1, backwards",
    .remarks =
        "any product, any ports; optimal with all ports and one piece, and with one port on hypercubes",
    .applies = [](const Problem& problem) { return broadcast_product_tree.applies(problem); },
    .claimed = [](const Problem& problem) { return broadcast_product_tree.claimed(reversed(problem)); },
    .generate = generate,
};

}  // namespace quadrille::algorithms
