// The optimum of small problems, by trying everything; for tests of bounds, algorithms and judges.
//
// It knows the rules' English and the data of a problem and nothing else of the house: no bound, no
// algorithm, no judge. The search goes deeper one step at a time: can it be done in 0, in 1, in 2 steps? What
// is not tried is only what one sentence excuses:
//
//   - What is farther from where it must go than there are steps left comes too late.
//   - A copy that could be had for nothing is taken: whoever has more can do whatever others can. It is not
//     for nothing where paths share arcs and their rounds are counted.
//   - Paths do not pass a node twice, for the same worm can leave the circle out; a routing rule that allows
//     the longer path allows the shorter one.
//   - A state that failed once with as many steps left fails again.
//
// The result comes with a plan, for the judges to look at.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille::testing {

enum class Least : uint8_t {
  kSteps,
  kCriticalBlocks,  ///< Figures::critical_blocks
};

struct Optimum {
  uint64_t value = 0;
  Plan plan{};
};

/// The least value of any plan; nothing when more than `effort` ways to make a step would have to be looked
/// at. At most eight nodes; queues must not be limited.
[[nodiscard]] std::optional<Optimum> exhaustive_optimum(const Problem& problem, Least least, uint64_t effort);

}  // namespace quadrille::testing
