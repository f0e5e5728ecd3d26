// How it is told what plans take for messages of one size: all of them, and why one is the best.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/sizes/size_reasons.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A row for each algorithm: its time, how far that is from the bound, and what it is made of.
[[nodiscard]] std::string size_comparison_table(const Problem& problem, uint64_t bytes,
                                                const SizeComparison& found);
void report_size_comparison(const Problem& problem, uint64_t bytes, const SizeComparison& found,
                            Report& report);

/// The best plan, the parts of its time and of the bound, the next one, and from which size on others win.
void report_size_reasons(const Problem& problem, uint64_t bytes, const SizeReasons& why, Report& report);

}  // namespace quadrille
