// How a sweep over message sizes is printed and drawn.
#pragma once

#include <span>
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

/// A row for each size: the best plan there, its time, how far that is from the bound, and the second best.
[[nodiscard]] std::string sweep_table(const NetworkSweep& made);
/// "64 B to 16 KiB: allreduce_dimensions in 4 to 64 pieces": sizes that lie side by side and have the same algorithm.
[[nodiscard]] std::string regions_text(const NetworkSweep& made);

/// A line for each network and size.
[[nodiscard]] std::string sweep_csv_header(bool simulated);
[[nodiscard]] std::string sweep_csv(const NetworkSweep& made);
[[nodiscard]] Json sweep_json(const NetworkSweep& made);

/// A script for gnuplot that draws one network beside the other, on logarithmic axes: the best plan and the bound, those
/// that are the best somewhere, the regions by their algorithms; it writes "svg" or "png" to its standard output.
[[nodiscard]] std::string sweep_plot(std::span<const NetworkSweep> all, const std::string& format);

}  // namespace quadrille
