// Bandwidths and latencies of links, and the capacities that follow.
#pragma once

#include "quadrille/cli/report/report.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Rows for `show`; none where nobody said anything of the links.
void report_link_rates(const Topology& network, Report& report);

}  // namespace quadrille
