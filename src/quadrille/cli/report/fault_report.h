// How a sweep over faults is printed and drawn.
#pragma once

#include <string>

#include "quadrille/base/json/json.h"
#include "quadrille/compile/faults/fault_sweep.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// What the healthy network takes, the most expensive faults in a table, at most `rows` of them, and what all cost; apart from
/// them, those that cut nodes off.
[[nodiscard]] std::string fault_text(const Problem& problem, const FaultSweep& sweep, size_t rows);
/// A line for each trial.
[[nodiscard]] std::string fault_csv(const FaultSweep& sweep);
[[nodiscard]] Json fault_json(const Problem& problem, const FaultSweep& sweep);
/// A script for gnuplot: what each fault costs that cuts nothing off, the most expensive first, beside its bound; "svg" or
/// "png". Throws InputError where there is none.
[[nodiscard]] std::string fault_plot(const Problem& problem, const FaultSweep& sweep,
                                     const std::string& format);

}  // namespace quadrille
