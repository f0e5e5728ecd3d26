// Reduce up a breadth-first tree: the broadcast along it, backwards.
//
// A node sends on once all its children have added to what it has. So the figures are those of the broadcast,
// with send and receive ports exchanged.
#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/reversed/backwards.h"

namespace quadrille::algorithms {

extern const Algorithm reduce_bfs_tree;
extern const Algorithm broadcast_bfs_tree;

constinit const Algorithm reduce_bfs_tree = {
    .name = "reduce_bfs_tree",
    .collective = CollectiveKind::kReduce,
    .summary = "the broadcast along a breadth-first tree, reversed in time and direction",
    .source = "folklore; collective communication dissertation 1996, section 1.2 for the duality",
    .remarks = "any graph, any ports, routers add up too; optimal with all ports and one piece",
    .may_keep_order = true,
    .applies = [](const Problem&) { return Applicability::yes(); },
    .chunks = chunks_backwards<broadcast_bfs_tree>,
    .prepare = backwards<broadcast_bfs_tree>,
};

}  // namespace quadrille::algorithms
