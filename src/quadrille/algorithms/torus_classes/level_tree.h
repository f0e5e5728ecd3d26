// Level trees: a node's block to all others in a few steps over paths that are short in all.
//
// In step t the nodes of level t receive it, each from the nearest node of a lower level. Which levels make the sum of
// these distances least is hard to say (a hop-constrained minimum spanning tree); a search that moves one node at a time
// to another level, at falling temperature, comes close on the tori tried: 70 hops for 63 nodes in four steps on 8 x 8,
// where no tree has fewer than 67.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/torus_classes/torus_classes.h"

namespace quadrille {

struct LevelTree {
  struct Edge {
    uint32_t level;  ///< from 1 on
    uint32_t from;   ///< a displacement
    uint32_t to;
  };
  uint32_t levels = 0;
  std::vector<Edge> edges;  ///< level by level
};

/// Deterministic. At least one level, and no more than the diameter, with which every edge is one hop.
[[nodiscard]] LevelTree level_tree(const TorusClasses& torus, uint32_t levels);

}  // namespace quadrille
