// Tree seat: what a node of a fat tree knows of it: its level, the leaves below it, who its children and its
// parent are. All of it follows from its address and the arities.
//
// The number of messages that a branch carries in a whole collective follows, too; so both ends of a branch
// know when nothing more will come over it.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct TreeSeat {
  uint32_t height = 0;
  uint32_t leaves = 0;       ///< of the tree
  uint32_t level = 0;        ///< 0: a leaf
  uint32_t first_leaf = 0;   ///< below this node
  uint32_t below = 1;        ///< leaves below this node
  uint32_t child_below = 0;  ///< leaves below each child
  /// The children from left to right and, below the root, the parent.
  std::vector<NodeId> neighbours{};

  TreeSeat(const TreeStructure& tree, NodeId self);

  [[nodiscard]] bool is_root() const { return level == height; }
  [[nodiscard]] uint32_t children() const {
    return static_cast<uint32_t>(neighbours.size()) - (is_root() ? 0 : 1);
  }
  /// The position of the parent among the neighbours; not of the root.
  [[nodiscard]] uint32_t up() const { return children(); }
  [[nodiscard]] uint32_t position(NodeId neighbour) const;
  /// The branch that leads to a leaf.
  [[nodiscard]] uint32_t towards(uint32_t leaf) const {
    return leaf - first_leaf < below ? (leaf - first_leaf) / child_below : up();
  }
  /// Leaves on the other side of a branch.
  [[nodiscard]] uint32_t beyond(uint32_t branch) const {
    return branch < children() ? child_below : leaves - below;
  }
  [[nodiscard]] size_t table_bytes() const { return neighbours.size() * sizeof(NodeId); }
};

}  // namespace quadrille
