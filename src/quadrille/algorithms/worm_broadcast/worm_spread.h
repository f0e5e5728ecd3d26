// Worm spread: spread, align, expand. A broadcast in a torus with k >= 2 equal sides n >= 3.
//
// Spread informs one node on every line along dimension 1: it cuts boxes in the other dimensions
// (worm_broadcast/worm_blocks.h), and the two ports of dimension 1 are free to go anywhere. Align moves the
// copies, in one step, to the places where x_1 - x_2 - .. - x_k is 0, and makes a second copy of each on the
// way; expand carries this diagonal along the ring of all diagonals (worm_broadcast/ring_strips.h).
//
// The second copies come in two ways. Either they make a second diagonal, half a ring away, and expand has
// two halves of a ring to serve; or spread stops at half of the lines, and the second copies are those of the
// other half.
//
//     2-D: 1 + ceil(log_5 n) + ceil(log_5 ceil(n/2)) steps
#pragma once

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

[[nodiscard]] bool can_spread(const GridShape& shape);
/// From place 0, without repeats; only where can_spread.
[[nodiscard]] WormPlan worm_spread(const GridShape& square_torus);
/// Its steps, without making it.
[[nodiscard]] uint32_t worm_spread_steps(const GridShape& square_torus);

}  // namespace quadrille
