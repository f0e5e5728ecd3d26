// Rounds to spread: the fewest messages over a link, or through a port, with which so many steps can bring a message to all.
//
// A step may carry any part of a message, and costs a start-up and as many rounds as its busiest port carries of it. Start-ups and
// rounds are each bounded elsewhere; together they say more, for who knows nothing yet sends nothing. With x_j the rounds of
// step j of S, in messages, and K_j what all ranks but the origin know after it, in messages, added up:
//
//   K_j - K_(j-1) <= D_j x_j         what is learnt is sent, by the origin and by those who can know something by then: each
//                                    has told at most g-1 others in a step, so there are at most g^(j-1);
//   K_j <= g K_(j-1) + q x_j         whoever knows a part tells it to at most g-1 others; the origin sends at most q x_j in all;
//   q (x_1 + .. + x_(S-L+1)) >= 1    what leaves the origin in step i first has S-i+1 steps left, and needs the L of one piece;
//   K_S >= N - 1.
//
// The least sum of x is a linear program. Its dual has one price w for having left the origin in time and one, v_j, for what is
// known after step j. Backwards from v_S no more than one choice in each step is worth making, so the prices follow from w and v_S,
// and whatever they are, if they fit, (N-1) v_S + w / q is a bound: the search for the best ones may stop anywhere.
//
// The same backwards in time and direction holds for sums on their way to a root.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class RoundsToSpread {
 public:
  /// From `origin` to all ranks; backwards: to it. `steps_of_one`: what one piece takes at least, as far as others know.
  RoundsToSpread(const Problem& problem, NodeId origin, bool backwards, uint64_t steps_of_one);

  /// In messages, however they are cut, in `from` steps (steps_of_one() at least), one more, and so on: no more steps than
  /// `count`, nor than need more than `least`, which is known otherwise. More steps never need more.
  [[nodiscard]] std::vector<double> in_steps(uint64_t from, size_t count, double least) const;
  /// L: fewer bring nothing to all.
  [[nodiscard]] uint64_t steps_of_one() const { return steps_of_one_; }

 private:
  struct Price {
    double value;
    double slope;  // as the price of having left grows
  };
  // The largest of what is known in the end, if having left in time has this price; it is known to be `at_most`.
  [[nodiscard]] Price price_of_knowing(uint64_t steps, double of_leaving, double at_most) const;
  // In so many steps; `at_most`: what is known costs at most, of fewer steps, and then of these.
  [[nodiscard]] double best_of(uint64_t steps, double& at_most) const;
  // What all who can know something send in the j-th step for each round of it, j from 1.
  [[nodiscard]] double sent(uint64_t step) const;

  double others_ = 0;  // ranks
  double own_ = 1;     // q: messages a round from the origin
  double growth_ = 2;  // g
  uint64_t steps_of_one_ = 0;
  std::vector<double> sent_;  // in the steps until as many know something as ever will
};

}  // namespace quadrille
