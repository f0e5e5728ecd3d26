// Window flooding: the last batches of a broadcast by trees, spread by whoever has something that a neighbour
// lacks, over whatever channel the batches before have left.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/algorithms/trees/disjoint_trees.h"

namespace quadrille {

/// The window of so many batches and pieces with the fewest steps that a few tries found, if these are no more
/// than `most`. In every step each node is sent different pieces that it lacks, the rarest ones first; ties by
/// chance. Without batches before it, `after_others`, all channels are free.
[[nodiscard]] std::optional<LastBatches> flood_window(const Topology& topology, const DisjointTrees& trees,
                                                      uint32_t batches, uint32_t pieces, uint32_t most,
                                                      bool after_others);

}  // namespace quadrille
