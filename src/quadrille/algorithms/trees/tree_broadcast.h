// Broadcast down a tree: who informs which child when.
//
// A node that has been informed informs its children in the following steps, as many at a time as it has send
// ports, the child whose subtree takes longest first. That order is optimal on the given tree: with k ports
// the subtree of v takes b(v) = max over i of (floor(i/k) + 1 + i-th largest b(child)), i = 0, 1, ...
// With all ports it is the height of the tree.
//
// The pieces of a split block follow each other every q steps, where q is the most steps that one node spends
// on its children: b(root) + (pieces-1) q steps in all. A node is then never asked to send two pieces at
// once.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

struct TreeBroadcast {
  std::vector<ArcId> arcs;         ///< in the order of use
  std::vector<uint32_t> arcs_end;  ///< per step of one piece: the end of its arcs
  uint32_t interval = 1;           ///< q: steps from one piece to the next

  [[nodiscard]] uint64_t steps(uint32_t pieces) const;
};

/// What a broadcast down the tree of a product (trees/spanning_tree.h) takes, without its tree: from the trees of the
/// factors.
struct TreeTimes {
  uint64_t one_piece = 0;
  uint64_t interval = 1;  ///< q
};
[[nodiscard]] TreeTimes product_tree_times(const Topology& product, NodeId root, Ports send);

[[nodiscard]] TreeBroadcast tree_broadcast(const Topology& topology, const SpanningTree& tree, Ports send);

/// The figures of a broadcast of the problem's block along the tree, and its steps.
[[nodiscard]] Prediction tree_broadcast_prediction(const Problem& problem, const TreeBroadcast& broadcast);
void broadcast_down(const Problem& problem, const TreeBroadcast& broadcast, StepSink& sink);
/// The same in an allreduce: every transfer replaces what the receiver has.
void copy_down(const Problem& problem, const TreeBroadcast& broadcast, StepSink& sink);

}  // namespace quadrille
