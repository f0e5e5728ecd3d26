// Most deliveries: how many pieces of a node's message so many steps of single packets can bring to all ranks.
//
// Who has nothing yet sends nothing: after t steps at most so many nodes have something as lie within t hops, and as those
// with something, of most links and ports first, can have sent to. What all of these can send in every step, added up, is
// the most that T steps deliver, and each piece takes a delivery to every other rank. Besides, no piece is under way before it
// has left its origin, which sends only so many a step; the last one still needs all the steps of one piece. The same
// backwards holds for sums: from all to the root.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class MostDeliveries {
 public:
  /// From `root`; backwards: to it. `steps_of_one`: what one piece takes at least, as far as others know.
  MostDeliveries(const Problem& problem, NodeId root, bool backwards, uint64_t steps_of_one);

  /// Pieces that all ranks can have after so many steps; UINT64_MAX where there is but one rank.
  [[nodiscard]] uint64_t pieces(uint64_t steps) const;

 private:
  uint64_t others_ = 0;  // ranks
  uint64_t own_ = 0;     // packets that the root sends in a step
  uint64_t steps_of_one_ = 0;
  std::vector<uint64_t> sent_;  // by all, in t steps; later ones send `at_most_` each
  uint64_t at_most_ = 0;
};

}  // namespace quadrille
