// How the trade-off curve (compile/comparison/frontier.h) is printed; drawn: pictures/frontier_plot.h.
#pragma once

#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/comparison/frontier.h"

namespace quadrille {

/// The points as a table; with constants, where points are in several numbers of pieces, the sizes for which they are best.
[[nodiscard]] std::string frontier_table(const Frontier& front, const CostConstants& cost = {});
/// The lower bounds of both figures; the points in the JSON.
void report_frontier(const Frontier& front, Report& report);

}  // namespace quadrille
