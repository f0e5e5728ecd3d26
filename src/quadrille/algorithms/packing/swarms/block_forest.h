// Block forest: a tree for each block to all endpoints, or to those who want it, so that no node and no link has much more to do in all of them than others.
//
// Ports and links have prices that rise with their load, at once with every arc that a tree takes. A tree takes one endpoint after
// another by the cheapest way from what it has (Takahashi and Matsuyama 1980); whoever is taken costs its own price, too, since it
// passes on what it has: where all nodes are endpoints and links go both ways, a tree that costs its tails costs as much as an
// undirected one that costs both ends of its links, and those Prim's algorithm finds at their least. Then nodes change to a
// cheaper parent, one by one. A tree that would cost more than the one it had is not taken, or all move together and come back.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/packing/swarms/block_swarm.h"

namespace quadrille {

/// A tree that a block needs: from the root to all who want it; backwards, from all of them to the root.
struct WantedTree {
  NodeId root;
  const std::vector<char>* wants = nullptr;  ///< by node; null: all endpoints do
  bool backwards = false;
};

struct ForestTask {
  const Topology& net;
  Ports send{};
  Ports receive{};
  std::vector<WantedTree> trees{};
  uint64_t haste =
      0;  ///< what a node costs for each hop that it is from its root; a full link or port costs kFullPrice
};
inline constexpr uint64_t kFullPrice = 1'048'576;

/// The arcs of a tree, those at the root first.
using BlockTree = std::vector<ArcId>;

struct BlockForest {
  std::vector<BlockTree> trees{};
  uint64_t fullest = 0;  ///< steps that the busiest port, or link, needs
};

/// `least`: what is good enough; it decides when to stop and nothing else, so that whoever knows a better bound finds no other trees.
/// Of a swarm: a tree to all endpoints for each block, with such a haste.
[[nodiscard]] BlockForest grow_block_forest(const SwarmTask& task, uint64_t least, uint64_t haste = 0);
[[nodiscard]] BlockForest grow_block_forest(const ForestTask& task, uint64_t least);

}  // namespace quadrille
