// Worm swarm: a broadcast in pieces by worms, on any graph, found backwards.
//
// Read backwards, those who have a piece are a crowd that shrinks to the root (path_merging.h). Here every piece has its crowd, and
// all shrink at once: in a step one after another some node goes, the farthest from the root first, along the shortest path
// that is still free to one who stays, if possible to one to whom others have gone. So the last steps, in which all nodes have
// something to send, fill links between neighbours, and the first ones have few worms and room for long ways. Whole messages
// leave most links idle until most nodes know; C pieces leave the root over all its links at once, and need some C/ports steps
// more, of a C-th of a message each. Ties are drawn, crowds shrink together or one before the other, and the shortest of a few
// tries is kept.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct PieceWorm {
  uint32_t piece;
  WormPath path;
};

/// The worms of every step of a broadcast under wormhole switching, of any ports and capacities, full or half duplex. `least`: no
/// plan takes fewer steps. `tries_at_once`: 1 or 2, which find the same.
[[nodiscard]] std::vector<std::vector<PieceWorm>> swarm_by_worms(const Problem& problem, uint64_t least,
                                                                 uint32_t tries_at_once);

}  // namespace quadrille
