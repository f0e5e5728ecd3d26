// Search for disjoint trees of small height and for what follows them: a formula, and a solver.
//
// Variables say over which arc each node hangs in each tree, how deep it is at most, which pieces of the window
// an arc carries in each step, and who has them when. With a symmetry about the root only one of each cycle of
// trees, and of pieces, has variables: the others are its images.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/trees/disjoint_trees.h"
#include "quadrille/algorithms/trees/tree_symmetry.h"

namespace quadrille {

struct TreeStreamQuestion {
  uint32_t trees = 1;         ///< as many as a batch has pieces
  uint32_t height = 1;        ///< of the trees, at most; 0: no trees are wanted, all is in the window
  uint32_t window = 0;        ///< batches at the end that need not go down the trees
  uint32_t window_steps = 0;  ///< steps from the first of these on; no less than height - 1
  uint32_t pieces = 0;        ///< in the window; with a symmetry all that it has room for
};

/// Variables and helpers that the formula has, about.
[[nodiscard]] uint64_t formula_size(const Topology& topology, const TreeStreamQuestion& question,
                                    const TreeSymmetry& symmetry);

/// Nothing if there is no answer, or none was found with so many conflicts.
[[nodiscard]] std::optional<TreeStreams> search_tree_streams(const Topology& topology, NodeId root,
                                                             const TreeStreamQuestion& question,
                                                             const TreeSymmetry& symmetry,
                                                             uint32_t conflicts);

}  // namespace quadrille
