// What plan, verify and run say about the arrays of a schedule (program/arrays/array_layout.h).
#pragma once

#include "quadrille/cli/report/report.h"
#include "quadrille/program/arrays/array_layout.h"

namespace quadrille {

/// How often and how much is rearranged between steps so that every transfer is one slice.
void report_arrays(const ArrayLayout& layout, Report& report);

}  // namespace quadrille
