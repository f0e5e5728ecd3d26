// Ring strips: informing all positions of a ring, from a few that know, when each can inform 2k others in one
// step.
//
// Whoever knows is responsible for a strip of positions around its own. In a step it cuts the strip into 2k+1
// parts, keeps the middle one and informs one position in each of the others: the r-th part on each side is
// the business of rank r, so that no two worms of one sender leave by the same port. Strips never overlap.
//
//     ring_strips(1, {{.position = 0, .first = -2, .last = 2}}, 2)
//         step 0: 0 -> -2 and 0 -> 2;  step 1: 0 -> -1 and 0 -> 1
#pragma once

#include <cstdint>
#include <vector>

namespace quadrille {

/// A position that knows, and the positions that it is responsible for.
struct Strip {
  int64_t position = 0;
  int64_t first = 0;
  int64_t last = 0;
};

struct StripSend {
  int64_t from = 0;
  int64_t to = 0;
  uint32_t rank = 1;  ///< 1..k, about the distance
};

/// ceil(log_base count).
[[nodiscard]] uint32_t steps_to_reach(uint64_t base, uint64_t count);

/// The sends of each of `steps` steps. Every strip must reach at most ((2k+1)^steps - 1)/2 positions to each
/// side.
[[nodiscard]] std::vector<std::vector<StripSend>> ring_strips(uint32_t k, std::vector<Strip> strips,
                                                              uint32_t steps);

}  // namespace quadrille
