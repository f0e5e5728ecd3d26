// What a command says of how the steps of a plan are kept apart.
#pragma once

#include <string>

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/compile.h"
#include "quadrille/schedule/plan_synchronisation.h"

namespace quadrille {

/// "3 barriers and 12 priorities"; "nothing".
[[nodiscard]] std::string means_of(const PlanSynchronisation& sync);

/// Whether what a file states is enough, if it was checked.
void report_synchronisation(const Compiled& judged, Report& report);

/// The judge's verdict or, of a plan that it passed, that of the synchronisation.
[[nodiscard]] Verdict verdict_with_synchronisation(const Compiled& judged);

}  // namespace quadrille
