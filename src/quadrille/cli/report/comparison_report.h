// How algorithms and published costs are set side by side (compile/comparison/comparison.h).
#pragma once

#include <string>
#include <vector>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/comparison/comparison.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

[[nodiscard]] std::string comparison_table(const Problem& problem, const std::vector<ComparedCost>& costs);
void report_comparison(const Problem& problem, const std::vector<ComparedCost>& costs, Report& report);

/// The same where steps alone count.
[[nodiscard]] std::string steps_table(const Problem& problem, const StepComparison& found);
void report_steps_comparison(const Problem& problem, const StepComparison& found, Report& report);

}  // namespace quadrille
