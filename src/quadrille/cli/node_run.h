// `run --local`: nodes that decide for themselves, one thread each.
#pragma once

#include "quadrille/cli/console.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/options/run_options.h"

namespace quadrille {

[[nodiscard]] int run_nodes_locally(const RunOptions& options, const ReportForm& form, Console& console);

}  // namespace quadrille
