// Simulated exhibits: what the plans behind a table or a figure take cycle by cycle, beside what a formula counts.
//
//     const Reproduction made = reproduce_simulated(card, settings);
//     made.sheets[0].rows[0][3].simulated     // 1024.28, where the cell says 1024 blocks
//
// Messages of 64 flits a block, two channels of 8 flits a link, a cycle a hop, a barrier after each step. A block is the time of its
// flits, 64 cycles; a step is what one block takes over one link, 65 cycles. So a step of packets is a step, and worms take so
// many cycles longer as their heads go hops.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/reproduce/exhibit.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// What came of the plans of an exhibit.
struct SimulationLog {
  uint64_t plans = 0;
  uint64_t exact = 0;            ///< take their flits and the way of their heads, to the cycle
  uint64_t less = 0;             ///< the largest message of a step is not the one that goes farthest
  uint64_t more = 0;             ///< messages wait for each other
  uint64_t left_out = 0;         ///< would take more than a minute
  uint64_t meeting_without = 0;  ///< messages would meet if nodes went on without barriers
  double farthest = 0.0;         ///< the largest part by which one is above the formula
};

/// As long as it lives, plans judged by this thread (reproduce/judged.h) can be simulated.
class SimulatingScope {
 public:
  explicit SimulatingScope(SimulationLog& log);
  ~SimulatingScope();
  SimulatingScope(const SimulatingScope&) = delete;
  SimulatingScope& operator=(const SimulatingScope&) = delete;

  [[nodiscard]] static bool is_open();
};

/// Of one schedule: how long it takes in steps and in blocks; entered in the log of the scope. Nothing where it takes too long.
struct SimulatedFigures {
  double steps = 0.0;
  double blocks = 0.0;
};
[[nodiscard]] std::optional<SimulatedFigures> simulated_figures(const Schedule& schedule);

/// The exhibit with simulated values in its cells, and a note on how they came about and why they part.
[[nodiscard]] Reproduction reproduce_simulated(const Exhibit& card, const Settings& settings);

}  // namespace quadrille
