// Link counts: how many links there are, and how many a node has. Of an outline they follow from the factors, whose links
// add up at a node; of all others they are counted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Arcs: more than can be numbered, perhaps, in an outline.
[[nodiscard]] uint64_t arc_count(const Topology& topology);
/// Whether some arc has a capacity above 1.
[[nodiscard]] bool has_wide_arcs(const Topology& topology);
/// Whether every node has an arc to every other, in a network that is listed.
[[nodiscard]] bool is_complete(const Topology& topology);
/// The most arcs from one node.
[[nodiscard]] uint64_t most_neighbours(const Topology& topology);
/// The largest capacity of the arcs from one node together, and into one.
[[nodiscard]] uint64_t most_links_out(const Topology& topology);
[[nodiscard]] uint64_t most_links_in(const Topology& topology);
/// The smallest and the largest capacity of the arcs from one endpoint together, of a listed graph.
[[nodiscard]] std::pair<uint64_t, uint64_t> links_of_endpoints(const Topology& topology);

/// Nodes of a product whose links carry alike.
struct NodeKind {
  uint64_t out = 0;   ///< capacity of the arcs from a node
  uint64_t in = 0;    ///< of the arcs into it
  uint64_t both = 0;  ///< of its links, if each is used in one direction only
  uint64_t count = 0;
  NodeId first{0};  ///< of these nodes
  NodeId last{0};
};
/// What one node is, of any graph.
[[nodiscard]] NodeKind kind_of(const Topology& topology, NodeId node);
/// Every node of a listed graph, in order.
[[nodiscard]] std::vector<NodeKind> each_node(const Topology& topology);
/// Of a product without routers, by out, in and both.
[[nodiscard]] std::vector<NodeKind> node_kinds(const Topology& product);
/// Of its nodes that have this coordinate.
[[nodiscard]] std::vector<NodeKind> node_kinds(const Topology& product, size_t dimension,
                                               uint32_t coordinate);

}  // namespace quadrille
