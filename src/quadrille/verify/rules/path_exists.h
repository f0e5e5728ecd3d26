// Rule path_exists: a transfer's arcs are links of the topology, and each starts where the one before ends.
#pragma once

#include <span>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/findings.h"

namespace quadrille::rules {

/// The quick question, without an answer for people.
[[nodiscard]] bool is_path(const Topology& topology, std::span<const ArcId> arcs);

/// Reports the first place where a path breaks off.
void report_broken_path(const Topology& topology, std::span<const ArcId> arcs, uint64_t step,
                        uint64_t transfer, Findings& findings);

}  // namespace quadrille::rules
