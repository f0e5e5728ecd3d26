// Tree streaming: the best plan known for a broadcast in pieces over disjoint trees (disjoint_trees.h).
//
// How many trees there are is how many paths without a common channel lead to every endpoint (Edmonds 1973); how
// soon all pieces can be everywhere is what they take to flow to the slowest one. Trees and window are searched for
// at that bound, and where that does not help a step above it; closed forms and, where formulas grow too large,
// packings that only look for short trees take over.
#pragma once

#include <cstdint>

#include "quadrille/algorithms/trees/disjoint_trees.h"

namespace quadrille {

/// Paths without a common channel from the root to each endpoint: the fewest.
[[nodiscard]] uint32_t most_disjoint_trees(const Topology& topology, NodeId root);

/// Whether the last pieces go wherever links are left, or down the trees as all others do: over every link one after the other.
enum class LastPieces : uint8_t { kAnywhere, kInOrder };

/// What is found is kept until another network or root is asked for: with other pieces less is left to search. For several
/// threads.
[[nodiscard]] TreeStreams best_tree_streams(const Topology& topology, NodeId root, uint32_t pieces,
                                            LastPieces last = LastPieces::kAnywhere);

}  // namespace quadrille
