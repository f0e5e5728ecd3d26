// Run times: what the runs of a job took, as rows of a report.
#pragma once

#include <span>

#include "quadrille/cli/report/report.h"
#include "quadrille/options/run_options.h"

namespace quadrille {

void report_times(const Problem& problem, const RunOptions& options, std::span<const double> seconds,
                  Report& report);

}  // namespace quadrille
