// Fat tree: the figures and arcs of a complete tree whose leaves are the only processors.
//
//     if (why_no_fat_tree(net).empty()) {
//       const FatTree tree = fat_tree_of(net);
//       path up:   tree.up(0, leaf), tree.up(1, leaf), ..      down: .., tree.down(1, leaf), tree.down(0,
//       leaf)
//     }
//
// Level 0 are the leaves, level height() is the root. A branch of level j joins a node of level j-1 to its
// parent, and has capacity(j). The level of a pair of leaves is that of their lowest common ancestor: they
// are 2 * level hops apart. A leaf's number, written digit by digit in the arities, leads from the root to
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

class FatTree {
 public:
  /// Only for a topology that is a fat tree.
  explicit FatTree(const Topology& topology);

  [[nodiscard]] uint32_t height() const { return static_cast<uint32_t>(arity_.size()); }
  [[nodiscard]] uint32_t leaves() const { return below_.back(); }
  /// Children of a node of the level (from 1).
  [[nodiscard]] uint32_t arity(uint32_t level) const { return arity_[level - 1]; }
  /// Capacity of the branches below nodes of the level (from 1).
  [[nodiscard]] uint32_t capacity(uint32_t level) const { return capacity_[level - 1]; }
  /// Leaves below a node of the level; 1 for a leaf.
  [[nodiscard]] uint32_t below(uint32_t level) const { return below_[level]; }
  /// The ancestor of a leaf on a level.
  [[nodiscard]] NodeId ancestor(uint32_t level, uint32_t leaf) const {
    return NodeId{first_[level] + leaf / below_[level]};
  }
  /// The arc from the leaf's ancestor on that level to the next higher one, and the one back; level < height.
  [[nodiscard]] ArcId up(uint32_t level, uint32_t leaf) const { return up_[size_t{level} * leaves() + leaf]; }
  [[nodiscard]] ArcId down(uint32_t level, uint32_t leaf) const {
    return down_[size_t{level} * leaves() + leaf];
  }
  /// Level of the lowest common ancestor; 0 for a leaf and itself.
  [[nodiscard]] uint32_t level(uint32_t a, uint32_t b) const;
  /// The leaf at a displacement from another one: digit by digit, without carry. The level of the two is the
  /// place of the displacement's highest digit that is not 0: displacements below(l-1) .. below(l)-1 have
  /// level l. For each displacement it is a permutation of the leaves.
  [[nodiscard]] uint32_t displaced(uint32_t leaf, uint32_t displacement) const;

  /// All arities are equal.
  [[nodiscard]] bool is_uniform() const;
  /// All capacities are 1.
  [[nodiscard]] bool has_unit_capacities() const;

 private:
  std::vector<uint32_t> arity_;
  std::vector<uint32_t> capacity_;
  std::vector<uint32_t> below_;
  std::vector<uint32_t> first_;
  std::vector<ArcId> up_;
  std::vector<ArcId> down_;
};

/// Why the topology is no fat tree, as "it needs ..., but ..."; empty for a fat tree. A router with one child
/// is not allowed: it is a longer wire and no level.
[[nodiscard]] std::string why_no_fat_tree(const Topology& topology);

}  // namespace quadrille
