// Rounds over hops: what so many steps must carry so that a whole message gets from one node to another one far from it, where a step
// takes it one hop.
//
// A part that is on its way over D hops leaves in one step and arrives D - 1 steps later or more. So of any D - 1 steps in a row
// it leaves before them or arrives after them: with x_j the rounds of step j, R of all, and c messages a round out of the one node and
// into the other,
//
//   c (R - (x_a + .. + x_(a+D-2))) >= 1    for every a.
//
// S steps are q = ceil(S / (D - 1)) such rows or fewer, one of which has R / q or more. So R >= q / (q - 1) / c: as many rounds
// again as one message takes where steps are as few as hops, half as many with twice the steps.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class RoundsOverHops {
 public:
  /// Of a broadcast, a reduce and an allreduce, where a step may take any part of a message over one link; of others nothing is said.
  explicit RoundsOverHops(const Problem& problem);

  struct Least {
    uint64_t steps = 0;
    double rounds = 0;  ///< messages
    double time = 0;
  };
  /// The steps, `fewest` or more, and their rounds, `least_rounds` or more, that take the least time.
  [[nodiscard]] Least least(uint64_t fewest, double least_rounds, double step_time,
                            double message_time) const;
  /// Messages that so many steps carry at least; infinity where they are fewer than hops.
  [[nodiscard]] double in_steps(uint64_t steps) const;

 private:
  // A node as far as any with such links.
  struct Far {
    uint64_t hops;
    double a_round;  // messages, out of the origin or into the node
  };

  std::vector<Far> far_;
};

}  // namespace quadrille
