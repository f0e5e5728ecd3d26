// The fewest steps of a one-port broadcast on a small graph, by exact search.
//
// It starts with the best tree that the heuristic, and on a torus the construction, know, and asks for one
// step fewer until the answer is no (then the tree is optimal), or until a question is too hard; in that case
// it asks from below which numbers of steps can be excluded. So there is always a tree, and always a floor.
//
//     const OnePortOptimum best = search_one_port_tree(net, root, 20'000);
//     if (best.steps == best.floor) ...       // optimal; otherwise the truth lies between the two
#pragma once

#include <cstdint>

#include "quadrille/algorithms/trees/spanning_tree.h"

namespace quadrille {

struct OnePortOptimum {
  SpanningTree tree;
  uint32_t steps = 0;  ///< of the tree
  uint32_t floor = 0;  ///< no broadcast takes fewer
};

/// Every question is given up after `conflicts`.
[[nodiscard]] OnePortOptimum search_one_port_tree(const Topology& topology, NodeId root, uint32_t conflicts);

}  // namespace quadrille
