// Repeated paths: a timetable that begins anew every so many steps, each time with the next blocks.
//
//     const RepeatedPaths paths = repeated(problem, once, 1'000);   // of a few packets, in as few steps as can be found
//
// A link that n packets of the timetable take needs n steps of every period; so where the busiest link has n, the period is n or
// little more, however long a packet is on its way: what is still on its way passes what has begun (modulo scheduling, Rau and
// Glaeser 1981, who do so with the bodies of loops). Many times over, steps are then as few as the paths' loads allow, and memory
// is that of one timetable.
#pragma once

#include <cstdint>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/transforms/slots/timed_paths.h"

namespace quadrille {

struct RepeatedPaths {
  TimedPaths once;      ///< of each packet's hops in the first period; they may reach into the next ones
  uint32_t period = 0;  ///< no link or port has more to do in all steps s, s + period, s + 2 period, ..
  uint32_t times = 0;

  [[nodiscard]] uint64_t steps() const {
    return times == 0 ? 0 : (uint64_t{times} - 1) * period + once.steps;
  }
  /// Steps in which something is sent.
  [[nodiscard]] uint64_t start_ups() const;
  /// In the n-th period packet i is the block once.blocks[i] + n.
  void generate(StepSink& sink) const;
};

/// With the shortest period that is found, and the paths as they are.
[[nodiscard]] RepeatedPaths repeated(const Problem& problem, const TimedPaths& once, uint32_t times);

}  // namespace quadrille
