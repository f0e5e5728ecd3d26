// A network that is a tree, seen from the root of a broadcast.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

struct RootedTree {
  std::vector<NodeId> order;    ///< parents before their children; without branches that have no endpoint
  std::vector<NodeId> parent;   ///< per node; kNoNode for the root and outside
  std::vector<uint32_t> depth;  ///< per node
};

/// The topology from `root`; nothing if it is no tree: links in both directions, and one less than nodes.
[[nodiscard]] std::optional<RootedTree> as_rooted_tree(const Topology& topology, NodeId root);

}  // namespace quadrille
