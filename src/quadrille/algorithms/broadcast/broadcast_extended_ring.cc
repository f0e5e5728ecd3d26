// Broadcast on an extended ring by a weight in the message: the root informs its neighbours how far to pass
// it on, and nobody needs to know anything else. See trees/extended_ring_tree.h.
//
// With all ports as many steps as the diameter, which is optimal, though some nodes are not informed over a
// shortest path.
#include <fmt/format.h>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/extended_ring_tree.h"
#include "quadrille/algorithms/trees/tree_broadcast.h"

namespace quadrille::algorithms {

extern const Algorithm broadcast_extended_ring;

namespace broadcast_extended_ring_parts {
namespace {

TreeBroadcast shape(const Problem& problem) {
  const Topology& topology = problem.topology();
  const NodeId root = topology.endpoint(*problem.collective().root());
  return tree_broadcast(topology, extended_ring_tree(topology, root), problem.model().send);
}

Applicability applies(const Problem& problem) {
  if (as_extended_ring(problem.topology())) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs an extended ring, such as a ring or extended_ring(14,2); {} is not known to be one",
      problem.topology().name()));
}

}  // namespace
}  // namespace broadcast_extended_ring_parts

constinit const Algorithm broadcast_extended_ring = {
    .name = "broadcast_extended_ring",
    .collective = CollectiveKind::kBroadcast,
    .summary = "forwards the block in strides of rho, as often as a counter in the message says",
    .source = "collective communication dissertation 1996, section 3.1",
    .remarks = "any extended ring, any ports; nodes need no tables; optimal with all ports and one piece",
    .applies = broadcast_extended_ring_parts::applies,
    .prepare = by_plan<broadcast_extended_ring_parts::shape, tree_broadcast_prediction, broadcast_down>,
};

}  // namespace quadrille::algorithms
