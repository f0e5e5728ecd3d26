// Reduce up a breadth-first tree: the broadcast along it, backwards.
//
// A node sends on once all its children have added to what it has. So the figures are those of the broadcast,
// with send and receive ports exchanged.
#include "quadrille/algorithms/catalog.h"
#include "quadrille/transforms/reverse.h"

namespace quadrille::algorithms {
namespace {

void generate(const Problem& problem, StepSink& sink) {
  const Problem broadcast = reversed(problem);
  Plan plan;
  broadcast_bfs_tree.generate(broadcast, plan);
  reverse(broadcast, plan).replay(sink);
}

}  // namespace

constinit const Algorithm reduce_bfs_tree = {
    .name = "reduce_bfs_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast along a breadth-first tree, backwards in time and direction",
    .source = "folklore; collective communication dissertation 1996, section 1.2 for the duality",
    .remarks = "any graph, any ports, routers add up too; optimal with all ports and one piece",
    .applies = [](const Problem&) { return Applicability::yes(); },
    .claimed = [](const Problem& problem) { return broadcast_bfs_tree.claimed(reversed(problem)); },
    .generate = generate,
};

}  // namespace quadrille::algorithms
