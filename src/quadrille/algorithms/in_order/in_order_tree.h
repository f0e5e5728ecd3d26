// In-order trees: reductions up a tree for operators that do not commute.
//
// Every node sends its parent the sums of all runs of consecutive ranks below it, each as soon as it is complete, and keeps
// what does not belong together yet in slots. Along a mesh numbered in row-major order, rows first, every node has one run; a
// ring's root is in the middle of what comes from both sides. So what counts is the tree: several breadth-first ones are
// tried, in which nodes prefer parents that are near, or far, by number.
//
// A piece goes up a link after the pieces before it.
#pragma once

#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The plan of the best tree; nothing where a node would have to keep more sums apart than there are slots.
[[nodiscard]] std::optional<Plan> in_order_tree_reduce(const Problem& problem);

}  // namespace quadrille
