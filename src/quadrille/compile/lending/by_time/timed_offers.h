// Timed offers: who might lend a plan to a task, and what it takes at least if they do.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/compile/lending/by_time/timed_task.h"
#include "quadrille/compile/lending/loan.h"
#include "quadrille/compile/lending/strength.h"

namespace quadrille {

/// Lenders that may be worth asking.
struct TimedOffer {
  TimedTask ours;
  bool backwards;  ///< ours is the reversed one of the task that is worked at
  Loan loan;       ///< for one piece
  std::vector<TimedTask> lenders;
  std::vector<uint32_t> parts;  ///< pieces of each lender for each of ours is 1 / parts
  std::vector<double> bounds;   ///< of each lender
  Strength strength;            ///< that they are asked with
  double least;                 ///< ours takes at least
  uint32_t ports = 1;           ///< ours, for each of `fewer` of the lender
  uint32_t fewer = 1;
  bool is_free = false;  ///< what its lender takes says nothing of it
};

/// How far offers of a network are looked for.
struct OfferLimits {
  bool small = true;  ///< whatever has to be measured is offered, too
  bool few = true;    ///< so are machines of each number of ports that may lend once they are compacted
  bool each_number_of_ports = true;  ///< and those that may lend as they are
};

/// `wanted`: what may take as long is of no use.
[[nodiscard]] std::vector<TimedOffer> offers_for(const TimedTask& task, bool backwards, Strength strength,
                                                 double wanted, OfferLimits limits, TaskBounds& bounds);

/// Whether it makes messages of several steps' packets.
[[nodiscard]] bool merges(const Loan& loan);

}  // namespace quadrille
