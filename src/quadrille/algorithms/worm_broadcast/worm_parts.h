// Worm parts: a broadcast with one worm a node and step, in ceil(log_2 N) steps on every torus and mesh, or with
// two, in ceil(log_3 N) where the search finds it.
//
// Write all places in one row, a snake: coordinates in row-major order, every other line backwards, so that
// neighbours in the row are neighbours in the grid. Whoever knows is responsible for an interval of the row;
// in a step it cuts it in two halves (or three parts) and sends a worm to a place in each part that it is not
// in. The place is chosen such that the worm, in dimension order and the short way round, passes only through
// places of the interval. Worms of different senders then share no link: their intervals are disjoint.
//
// Three parts, a holder in the middle and one worm to each side, are what a row can do: in a line a place has
// two links. Who may send more worms cuts boxes (worm_broadcast/worm_blocks.h).
//
// Where to cut and whom to inform is searched for, the middle first, within a fixed budget; on every grid
// tried the first choices of halves were good.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

/// From the place, without repeats, `sends` (1 or 2) worms of a place in a step at most; the coordinates are 0
/// in circular dimensions. Nothing where the search finds no plan of so many steps.
[[nodiscard]] std::optional<WormPlan> worm_parts(const GridShape& shape,
                                                 const std::vector<uint32_t>& position, uint32_t sends,
                                                 uint32_t steps);

}  // namespace quadrille
