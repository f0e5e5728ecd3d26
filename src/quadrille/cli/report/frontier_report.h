// How the trade-off curve (compile/comparison/frontier.h) is printed and drawn.
#pragma once

#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/comparison/frontier.h"

namespace quadrille {

/// The points as a table; with constants, where points are in several numbers of pieces, the sizes for which they are best.
[[nodiscard]] std::string frontier_table(const Frontier& front, const CostConstants& cost = {});
/// The lower bounds of both figures; the points in the JSON.
void report_frontier(const Frontier& front, Report& report);

/// A script for gnuplot that draws the points and writes "svg" or "png" to its standard output.
[[nodiscard]] std::string frontier_plot(const Problem& problem, const Frontier& front,
                                        const std::string& format);

}  // namespace quadrille
