// Levels by hubs: where a tree of few levels that is short in all has its long edges.
//
// A level tree (level_tree.h) is decided by its hubs: nodes whose parents are farther away than one hop, and their levels.
// From the root, level 0, and from the hubs the levels rise by one a hop; what would come to lie above the last level hangs
// on the last but one by a longer edge. So the hops of a tree are
//
//     nodes - 1 + sum over hubs (hops to the nearest node of a lower level - 1) + sum over nodes above the last level (levels too high)
//
// and only the hubs, of which there are few, need be searched for: on a torus of 16 x 16 one, (8,8) in level 1, makes a tree
// of eight levels and 270 hops for 255 nodes, which is far from everything that is found by moving single nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

struct HubSearchEffort {
  uint64_t moves = 0;   ///< of one hub
  uint32_t starts = 1;  ///< that often
};

/// The level of each node, from 0, the root, on; all others have 1 to `levels`, which is at least one.
/// `hops[u * size + v]` is how far u is from v in a graph all of whose nodes look alike. Deterministic.
[[nodiscard]] std::vector<uint32_t> levels_by_hubs(std::span<const uint32_t> hops, uint32_t size,
                                                   uint32_t levels, HubSearchEffort effort);

}  // namespace quadrille
