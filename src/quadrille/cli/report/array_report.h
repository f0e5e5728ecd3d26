// What plan, verify and run say about the arrays of a schedule (program/array_layout.h).
#pragma once

#include "quadrille/cli/report/report.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// The help of the option that asks for it.
inline constexpr const char* kSlicesHelp =
    "lay the blocks out so that every transfer is one slice of memory, and count what is rearranged";

/// How often and how much is rearranged between steps so that every transfer is one slice. Throws InputError
/// where there is no layout. Returns the blocks that the busiest node rearranges.
uint64_t report_arrays(const Schedule& schedule, Report& report);

}  // namespace quadrille
