// Turned messages: what every node sends in one step when all go down the same tree, a class of chunks for each turn of the
// torus, and blocks that take the same way together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/torus_classes/level_tree.h"

namespace quadrille {

/// Each node v sends along the way of a displacement, turned, what belongs to the nodes that lie behind it.
struct TurnedMessage {
  uint32_t displacement;
  uint32_t turns;
  /// By how much, and of which class: the node is v moved back by it.
  std::vector<std::pair<uint32_t, uint32_t>> behind;
};

/// Those of one level of a tree, for so many classes.
[[nodiscard]] std::vector<TurnedMessage> turned_messages(const TorusClasses& torus, const LevelTree& tree,
                                                         uint32_t level, uint32_t classes);

/// Hops of the longest edge of a level.
[[nodiscard]] uint32_t longest_edge(const TorusClasses& torus, const LevelTree& tree, uint32_t level);

/// Shared links, a port for each link, full duplex, a torus of up to so many nodes.
[[nodiscard]] Applicability turned_messages_apply(const Problem& problem, uint32_t most_nodes);

}  // namespace quadrille
