// Who informs whom next: a randomised broadcast with one port, or a few, for any graph.
//
// Step by step: every node that has not been informed is given to the nearest one that has (a forest, parents
// chosen at random among the nearest with the fewest children), which shows how long the subtree behind each
// neighbour of the informed will still take. Those neighbours are then matched with informers, the longest
// subtree first; the matching changes who informs whom so that as many, and as urgent ones, as possible are
// informed in this step.
//
// The tree of who informed whom is what is returned: trees/tree_broadcast.h finds its best order, which is
// never slower. Routers that lead to no endpoint are left out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/trees/spanning_tree.h"
#include "quadrille/base/random.h"

namespace quadrille {

/// Steps of a broadcast along the tree with one port, its children in their best order.
[[nodiscard]] uint32_t one_port_steps(const Topology& topology, const SpanningTree& tree);

/// Whom to inform first, besides whose subtree takes long.
struct WhoFirst {
  /// Of those who need as long: who would wait long for a hub to inform it.
  bool lonely = false;
  /// Subtrees as they are when everybody gives parents to as many in a step as it has ports.
  bool by_turns = false;
  /// Where so many steps are tried: of the lonely whom those who know and it can just meet.
  uint32_t within = 0;
};
/// With as many ports as are said a node informs so many in a step.
[[nodiscard]] SpanningTree inform_by_urgency(const Topology& topology, NodeId root, Rng& rng,
                                             uint32_t ports = 1, WhoFirst first = {});

/// The same where several know from the beginning: per node the arc over which it is informed; kNoArc for those, and outside.
[[nodiscard]] std::vector<ArcId> inform_from(const Topology& topology, const std::vector<NodeId>& informed,
                                             Rng& rng, uint32_t ports, WhoFirst first);

/// The best of several, and the breadth-first tree where that is as good: fewer tries for larger graphs, down
/// to one. It stops as soon as the tree takes no more than the distances and how fast news spread allow.
struct OnePortTree {
  SpanningTree tree;
  uint32_t steps = 0;
};
[[nodiscard]] OnePortTree best_one_port_tree(const Topology& topology, NodeId root);
[[nodiscard]] OnePortTree best_tree_of_few_ports(const Topology& topology, NodeId root, uint32_t ports);

}  // namespace quadrille
