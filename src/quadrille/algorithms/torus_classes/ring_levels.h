// Level trees of a ring in which no node sends more than two messages a step, one class of the chunks.
//
// All nodes of a level receive over one of two displacements, whichever these are: 4 to the right and 4 to the left, 2 to the
// right and 1 to the left. A level takes as long as the busier direction of the two. Near trees (level_tree.h) have as many
// classes as directions instead, so that both carry the same, but only displacements that turn into each other: on 16 nodes
// and in four levels they take 11.5 hops a piece over a link, these 11.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/torus_classes/level_tree.h"

namespace quadrille {

/// What the busier direction of a ring carries in a level, a chunk of one class.
[[nodiscard]] uint64_t busier_direction(const TorusClasses& ring, const LevelTree& tree, uint32_t level);
/// The same in all levels.
[[nodiscard]] uint64_t busier_direction(const TorusClasses& ring, const LevelTree& tree);

/// Nothing where the torus has more dimensions than one, or more than 32 nodes, or no such tree is found. Takes some 30 ms
/// for the first time. Deterministic.
[[nodiscard]] std::optional<LevelTree> ring_level_tree(const TorusClasses& torus, uint32_t levels);

}  // namespace quadrille
