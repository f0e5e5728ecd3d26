// How a sweep over message sizes is printed; drawn: sizes/sweep_plot.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "quadrille/base/json/json.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/sizes/simulated_rows.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// The sweep of one network.
struct NetworkSweep {
  Problem problem;
  SizeSweep sweep;
  std::vector<SimulatedRow> simulated{};  ///< --simulated: one for each of its rows
};

/// Rows first to last - 1 have the same best algorithm.
struct SweepRegion {
  size_t first = 0;
  size_t last = 0;
};
[[nodiscard]] std::vector<SweepRegion> regions_of(const NetworkSweep& made);

/// A row for each size: the best plan there, its time, how far that is from the bound, and the second best.
[[nodiscard]] std::string sweep_table(const NetworkSweep& made);
/// "64 B to 16 KiB: allreduce_dimensions in 4 to 64 pieces": sizes that lie side by side and have the same algorithm.
[[nodiscard]] std::string regions_text(const NetworkSweep& made);

/// A line for each network and size.
[[nodiscard]] std::string sweep_csv_header(bool simulated);
[[nodiscard]] std::string sweep_csv(const NetworkSweep& made);
[[nodiscard]] Json sweep_json(const NetworkSweep& made);

}  // namespace quadrille
