// What a simulator takes for the plans of a sweep over sizes, and why that is not what their formula says.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/compile/by_size.h"
#include "quadrille/sim/beside_formula.h"

namespace quadrille {

/// The best plan of one size, simulated: worms with barriers between steps, start-ups as the model has them.
struct SimulatedRow {
  uint64_t bytes = 0;
  std::optional<double> time{};  ///< in the model's unit
  double formula = 0.0;
  // Parts of the difference, in the model's unit.
  double heads = 0.0;  ///< the way of heads, without what the model counts for hops
  double flits = 0.0;  ///< flits that are not full
  double rest = 0.0;   ///< messages that wait for each other; less than 0: those that go far are small
  std::optional<bool> meets_without{};
  std::string why_not{};  ///< no time
};

/// A row for each of the sweep, on so many threads. Throws InputError where a byte costs nothing, so that a flit takes no time.
/// `done` is told how many rows are over.
[[nodiscard]] std::vector<SimulatedRow> simulate_sweep(const Problem& problem, const SizeSweep& sweep,
                                                       uint64_t flit_bytes, unsigned threads,
                                                       const std::function<void(uint64_t)>& done);

/// How it was simulated, and where both part by half a per cent and more, a line for each size.
[[nodiscard]] std::string simulated_text(const std::vector<SimulatedRow>& rows, uint64_t flit_bytes);

}  // namespace quadrille
