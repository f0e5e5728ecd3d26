// How the trade-off curve of worms (compile/frontier.h) is printed and drawn.
#pragma once

#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/frontier.h"

namespace quadrille {

/// The points as a table.
[[nodiscard]] std::string frontier_table(const Frontier& front);
/// The lower bounds of both figures; the points in the JSON.
void report_frontier(const Frontier& front, Report& report);

/// A script for gnuplot that draws the points and writes "svg" or "png" to its standard output.
[[nodiscard]] std::string frontier_plot(const Problem& problem, const Frontier& front,
                                        const std::string& format);

}  // namespace quadrille
