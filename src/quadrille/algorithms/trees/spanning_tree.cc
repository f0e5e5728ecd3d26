#include "quadrille/algorithms/trees/spanning_tree.h"

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

void list_children(SpanningTree& tree, const Topology& topology) {
  tree.children_begin.assign(size_t{topology.num_nodes()} + 1, 0);
  for (size_t i = 1; i < tree.order.size(); ++i) {
    ++tree.children_begin[index(topology.tail(tree.arc[index(tree.order[i])])) + 1];
  }
  for (size_t v = 0; v < topology.num_nodes(); ++v) tree.children_begin[v + 1] += tree.children_begin[v];
  std::vector<uint32_t> next(tree.children_begin.begin(), tree.children_begin.end() - 1);
  tree.children_of.resize(tree.order.size() - 1);
  for (size_t i = 1; i < tree.order.size(); ++i) {
    const NodeId v = tree.order[i];
    tree.children_of[next[index(topology.tail(tree.arc[index(v)]))]++] = v;
  }
}

// Leaves out the routers that lead to no endpoint, and makes the lists of children.
void finish(SpanningTree& tree, const Topology& topology) {
  std::vector<char> kept(topology.num_nodes(), 0);
  kept[index(tree.root)] = 1;
  for (const NodeId endpoint : topology.endpoints()) kept[index(endpoint)] = 1;
  for (size_t i = tree.order.size(); i-- > 1;) {
    const NodeId v = tree.order[i];
    if (kept[index(v)] != 0) kept[index(topology.tail(tree.arc[index(v)]))] = 1;
  }
  std::vector<NodeId> order;
  for (const NodeId v : tree.order) {
    if (kept[index(v)] != 0) {
      order.push_back(v);
    } else {
      tree.arc[index(v)] = kNoArc;
      tree.depth[index(v)] = 0;
    }
  }
  tree.order = std::move(order);
  list_children(tree, topology);
}

SpanningTree only_root(const Topology& topology, NodeId root) {
  SpanningTree tree;
  tree.root = root;
  tree.order.reserve(topology.num_nodes());
  tree.order.push_back(root);
  tree.arc.assign(topology.num_nodes(), kNoArc);
  tree.depth.assign(topology.num_nodes(), 0);
  return tree;
}

}  // namespace

SpanningTree tree_of_all_nodes(const Topology& graph, NodeId root) {
  SpanningTree tree = only_root(graph, root);
  for (size_t at = 0; at < tree.order.size(); ++at) {
    for (const ArcId arc : graph.arcs_from(tree.order[at])) {
      const NodeId w = graph.head(arc);
      if (w == root || tree.arc[index(w)] != kNoArc) continue;
      tree.arc[index(w)] = arc;
      tree.depth[index(w)] = tree.depth[index(tree.order[at])] + 1;
      tree.order.push_back(w);
    }
  }
  list_children(tree, graph);
  return tree;
}

SpanningTree breadth_first_tree(const Topology& topology, NodeId root) {
  SpanningTree tree = tree_of_all_nodes(topology, root);
  finish(tree, topology);
  return tree;
}

SpanningTree product_tree(const Topology& topology, NodeId root) {
  const ProductStructure* product = topology.product();
  QUADRILLE_CHECK(product != nullptr, topology.name());
  const size_t dimensions = product->factors.size();
  std::vector<SpanningTree> factor_trees;
  for (size_t i = 0; i < dimensions; ++i) {
    // Routers of a factor may still carry others: all of its nodes are needed.
    factor_trees.push_back(tree_of_all_nodes(product->factors[i], NodeId{product->coordinate(root, i)}));
  }
  // A node whose coordinates before i are the root's may have children in the dimensions up to i.
  SpanningTree tree = only_root(topology, root);
  for (size_t at = 0; at < tree.order.size(); ++at) {
    const NodeId v = tree.order[at];
    for (size_t i = 0; i < dimensions; ++i) {
      const Topology& graph = product->factors[i];
      const NodeId v_i{product->coordinate(v, i)};
      for (const ArcId arc : graph.arcs_from(v_i)) {
        if (factor_trees[i].arc[index(graph.head(arc))] != arc) continue;
        const NodeId w = product->with_coordinate(v, i, static_cast<uint32_t>(index(graph.head(arc))));
        const std::optional<ArcId> lifted = topology.find_arc(v, w);
        QUADRILLE_CHECK(lifted.has_value(), topology.name());
        tree.arc[index(w)] = *lifted;
        tree.depth[index(w)] = tree.depth[index(v)] + 1;
        tree.order.push_back(w);
      }
      if (v_i != factor_trees[i].root) break;
    }
  }
  QUADRILLE_CHECK(tree.order.size() == topology.num_nodes(), topology.name());
  finish(tree, topology);
  return tree;
}

SpanningTree tree_of_arcs(const Topology& topology, NodeId root, std::span<const ArcId> arcs) {
  SpanningTree tree = only_root(topology, root);
  for (size_t i = 0; i < tree.order.size(); ++i) {
    const NodeId v = tree.order[i];
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId w = topology.head(arc);
      if (w == root || arcs[index(w)] != arc) continue;
      tree.arc[index(w)] = arc;
      tree.depth[index(w)] = tree.depth[index(v)] + 1;
      tree.order.push_back(w);
    }
  }
  const auto led_to = [&](NodeId v) { return v == root || tree.arc[index(v)] != kNoArc; };
  QUADRILLE_CHECK(std::all_of(topology.endpoints().begin(), topology.endpoints().end(), led_to),
                  topology.name());
  finish(tree, topology);
  return tree;
}

std::vector<uint64_t> product_branches(const Topology& topology, NodeId root) {
  const ProductStructure& product = *topology.product();
  std::vector<uint64_t> out;
  uint64_t below = 1;  // nodes that differ in the dimensions before
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const Topology& factor = product.factors[i];
    const SpanningTree tree = tree_of_all_nodes(factor, NodeId{product.coordinate(root, i)});
    std::vector<uint64_t> size(factor.num_nodes(), 1);
    for (size_t at = tree.order.size(); at-- > 1;) {
      const NodeId v = tree.order[at];
      size[index(factor.tail(tree.arc[index(v)]))] += size[index(v)];
    }
    for (const NodeId child : tree.children(tree.root)) out.push_back(size[index(child)] * below);
    below *= factor.num_nodes();
  }
  return out;
}

}  // namespace quadrille
