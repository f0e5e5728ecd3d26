// Spanning trees: the shapes along which one node informs, or serves, all others.
//
// A tree leads from its root to every endpoint. Routers are in it only where they lead to an endpoint, so on
// a graph without routers it spans all nodes.
//
//     const SpanningTree tree = breadth_first_tree(net, root);
//     for (NodeId v : tree.order) use(tree.arc[index(v)]);     // parents before their children
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct SpanningTree {
  NodeId root{};
  std::vector<NodeId> order;  ///< the nodes of the tree, every parent before its children; root first
  std::vector<ArcId> arc;     ///< per node: the arc from its parent; kNoArc for the root and outside the tree
  std::vector<uint32_t> depth;  ///< per node: arcs from the root; 0 outside the tree

  /// The children of a node, in the order of `order`.
  [[nodiscard]] std::span<const NodeId> children(NodeId node) const {
    const size_t begin = children_begin[index(node)];
    return std::span<const NodeId>(children_of).subspan(begin, children_begin[index(node) + 1] - begin);
  }

  std::vector<uint32_t> children_begin;  ///< per node, and one more
  std::vector<NodeId> children_of;
};

/// Every node hangs at its distance from the root, from the first parent that a breadth-first search gives
/// it.
[[nodiscard]] SpanningTree breadth_first_tree(const Topology& topology, NodeId root);

/// The same tree, but of all nodes: with the routers that lead nowhere.
[[nodiscard]] SpanningTree tree_of_all_nodes(const Topology& topology, NodeId root);

/// The tree of a product made of one tree in each factor: the parent of u differs from it in the first
/// coordinate in which u is not the root's, and there by the parent in the factor's breadth-first tree. Its
/// height is the sum of the heights; on a hypercube it is the binomial tree. Only for products.
[[nodiscard]] SpanningTree product_tree(const Topology& topology, NodeId root);
/// How many nodes are below each child of its root, the child included; of a product without routers, an outline, too.
[[nodiscard]] std::vector<uint64_t> product_branches(const Topology& topology, NodeId root);

/// The tree in which every node but the root hangs on the arc into it that is given; kNoArc for the root and
/// for routers outside. The arcs must make a tree that leads to every endpoint.
[[nodiscard]] SpanningTree tree_of_arcs(const Topology& topology, NodeId root, std::span<const ArcId> arcs);

}  // namespace quadrille
