// How algorithms and published costs are set side by side where steps alone count (compile/comparison/comparison.h).
#pragma once

#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/comparison/comparison.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

[[nodiscard]] std::string steps_table(const Problem& problem, const StepComparison& found);
void report_steps_comparison(const Problem& problem, const StepComparison& found, Report& report);

}  // namespace quadrille
