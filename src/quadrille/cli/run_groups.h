// `quadrille run --groups`: several collectives at the same time, each on threads of its own.
#pragma once

#include <string>

#include "quadrille/cli/console.h"
#include "quadrille/options/run_options.h"

namespace quadrille {

/// Plans all groups, runs their schedules at once, checks every byte, and says what became of them. Throws InputError for options
/// that are for one collective.
[[nodiscard]] int run_all_groups(const RunOptions& options, const std::string& groups, Console& console);

}  // namespace quadrille
