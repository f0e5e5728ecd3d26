// Worm halves: a broadcast with one worm a node and step, in ceil(log_2 N) steps on every torus and mesh.
//
// Write all places in one row, a snake: coordinates in row-major order, every other line backwards, so that
// neighbours in the row are neighbours in the grid. Whoever knows is responsible for an interval of the row;
// in a step it cuts it in two halves and sends a worm to a place in the other half. The place is chosen such
// that the worm, in dimension order and the short way round, passes only through places of the interval.
// Worms of different senders then share no link: their intervals are disjoint.
//
// Where to cut and whom to inform is searched for, the middle first, within a fixed budget; on every grid
// tried the first choices were good.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

/// From the place, without repeats; the coordinates are 0 in circular dimensions. Nothing where the search
/// finds no plan of ceil(log_2 N) steps.
[[nodiscard]] std::optional<WormPlan> worm_halves(const GridShape& shape,
                                                  const std::vector<uint32_t>& position);

}  // namespace quadrille
