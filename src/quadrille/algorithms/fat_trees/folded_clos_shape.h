// Folded Clos networks, found by their shape: levels of switches above the hosts, every subtree with as many tops as any of
// its level, and every host one hop below one switch.
//
//     const std::optional<FoldedClosShape> clos = folded_clos_shape(topology);
//     clos->up(1, edge_switch, 2)      // the third switch of level 2 above it
//
// It does not matter how the nodes are numbered, or where the network comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// XGFT(h; m1..mh; w1..wh) with w1 = 1. On level l a node is (subtree, top), number subtree * tops(l) + top; its parents are the
/// tops top * w + 0 .. w - 1 of the subtree above.
struct FoldedClosShape {
  std::vector<uint32_t> children;           ///< m1 .. mh
  std::vector<uint32_t> parents;            ///< w1 .. wh
  std::vector<std::vector<NodeId>> levels;  ///< nodes of level 0 (the hosts, in the order of the tree) .. h

  [[nodiscard]] uint32_t height() const { return static_cast<uint32_t>(children.size()); }
  [[nodiscard]] uint32_t hosts() const { return static_cast<uint32_t>(levels[0].size()); }
  /// Number, on level l + 1, of parent `which` of node number `node` of level l.
  [[nodiscard]] uint32_t up(uint32_t level, uint32_t node, uint32_t which) const {
    const uint32_t tops = tops_of(level);
    return (node / tops / children[level] * tops + node % tops) * parents[level] + which;
  }
  /// Number, on level l - 1, of child `which` of node number `node` of level l.
  [[nodiscard]] uint32_t down(uint32_t level, uint32_t node, uint32_t which) const {
    const uint32_t tops = tops_of(level);
    return (node / tops * children[level - 1] + which) * (tops / parents[level - 1]) +
           node % tops / parents[level - 1];
  }
  /// The first level whose switches have fewer links up than down, if one has: else no permutation of the hosts is blocked.
  [[nodiscard]] std::optional<uint32_t> first_blocking_level() const {
    for (uint32_t l = 1; l < height(); ++l)
      if (parents[l] < children[l - 1]) return l;
    return std::nullopt;
  }
  /// Switches of level l above each of its subtrees: w1 .. wl.
  [[nodiscard]] uint32_t tops_of(uint32_t level) const {
    uint32_t out = 1;
    for (uint32_t l = 0; l < level; ++l) out *= parents[l];
    return out;
  }
};

/// Nothing where the network has another shape. Links may have any capacities.
[[nodiscard]] std::optional<FoldedClosShape> folded_clos_shape(const Topology& topology);

}  // namespace quadrille
