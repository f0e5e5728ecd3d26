// The trade-off curve of a total exchange of worms: fewer start-ups against fewer blocks.
//
//     start-ups  blocks  / bound  cheapest for ts/(b tx)  algorithm
//             8   1,024    2.000  16 and more             alltoall_wormhole_classes:2:tree
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/cli/report/report.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// One point of the front.
struct FrontierPoint {
  std::string algorithm{};  ///< as --algorithm takes it
  uint64_t start_ups = 0;
  uint64_t blocks = 0;      ///< on the critical path
  double over_bound = 0.0;  ///< blocks over their lower bound; 0 where there is no bound
  /// For which ratios of a start-up to the time of a block, ts/(b tx), no other point costs less; from > to:
  /// never.
  double from = 0.0;
  double to = 0.0;  ///< infinity: all larger ones
};

/// Throws InputError, naming the option, for anything but a total exchange by wormhole switching.
void require_two_figures(const Problem& problem, std::string_view option);

/// By rising start-ups. Throws InputError like require_two_figures.
[[nodiscard]] std::vector<FrontierPoint> frontier(const Problem& problem);

/// The points as a table, and the lower bounds of both figures.
[[nodiscard]] std::string frontier_table(const std::vector<FrontierPoint>& points);
void report_frontier(const Problem& problem, const std::vector<FrontierPoint>& points, Report& report);

/// A script for gnuplot that draws the points and writes "svg" or "png" to its standard output.
[[nodiscard]] std::string frontier_plot(const Problem& problem, const std::vector<FrontierPoint>& points,
                                        const std::string& format);

}  // namespace quadrille
