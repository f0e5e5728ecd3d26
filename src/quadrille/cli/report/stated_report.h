// What a command says of what a plan file states of itself (compile/stated_check.h).
#pragma once

#include "quadrille/cli/report/report.h"
#include "quadrille/compile/stated_check.h"

namespace quadrille {

/// How many there are of each, if any; all of them in the JSON.
void report_stated(const StatedCheck& check, Report& report);

}  // namespace quadrille
