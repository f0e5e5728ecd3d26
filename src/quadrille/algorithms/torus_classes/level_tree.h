// Level trees: a node's block to all others in a few steps over paths that are short in all.
//
// In step t the nodes of level t receive it, each from a node of a lower level, the nearest one. Which levels make the sum
// of these distances least is hard to say (a hop-constrained minimum spanning tree). Two searches at falling temperature
// come close on the tori tried: one moves the few long edges (level_hubs.h), one a node at a time to another level, from
// there or, where levels are few, from the start. 70 hops for 63 nodes in four steps on 8 x 8, where no tree has fewer than
// 67; 273 for 255 in seven on 16 x 16.
//
// A node then sends many messages a step. In a near tree all displacements of a level turn into each other, so that with
// a class of the chunks for each turn a node sends and receives no more messages than it has links.
//
// Where sides differ, what counts is the busiest group of links in each level (torus_classes.h); there are no near trees.
//
// Where a lattice is given, the tree has one node of every coset: a tile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/torus_classes/torus_classes.h"
#include "quadrille/algorithms/torus_classes/torus_lattice.h"

namespace quadrille {

/// Of so many trees are looked for.
inline constexpr uint32_t kMostNodesOfLevelTrees = 1024;

struct LevelTree {
  struct Edge {
    uint32_t level;  ///< from 1 on
    uint32_t from;   ///< a displacement
    uint32_t to;
  };
  uint32_t levels = 0;
  std::vector<Edge> edges;  ///< level by level

  /// What a link of the busiest group carries of one chunk of every class: where all sides are equal, all hops.
  [[nodiscard]] uint64_t load(const TorusClasses& torus) const;
  [[nodiscard]] uint64_t load_of(const TorusClasses& torus, uint32_t level) const;
};

/// How long a search takes: this many moves of one node, of trees of at least two levels.
struct LevelSearchEffort {
  uint64_t moves = 0;
  uint32_t starts = 1;
};

/// Deterministic. At least one level, and no more than the radius, with which every edge is one hop.
[[nodiscard]] LevelTree level_tree(const TorusClasses& torus, const TorusLattice& lattice, uint32_t levels,
                                   LevelSearchEffort effort);
/// Nothing where none is found.
[[nodiscard]] std::optional<LevelTree> near_level_tree(const TorusClasses& torus, const TorusLattice& lattice,
                                                       uint32_t levels, LevelSearchEffort effort);

/// Of all nodes: a stored one (lattice_library.h), or searched for as long as is good for a network of that size. What was found
/// is kept: whoever asks for the trees of a torus asks again for other numbers of pieces.
[[nodiscard]] LevelTree level_tree(const TorusClasses& torus, uint32_t levels);
[[nodiscard]] std::optional<LevelTree> near_level_tree(const TorusClasses& torus, uint32_t levels);

}  // namespace quadrille
