// The plan that an argument of a command names.
#pragma once

#include <string>

#include "quadrille/cli/console.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille {

class PlanListener;

/// The plan of a file; - is what standard input holds. On a terminal it is said when that takes long.
/// `allow_files`: --allow-files was given, which is refused for a plan that names no graph file.
[[nodiscard]] PlanFile read_plan_argument(const std::string& path, bool allow_files, Console& console);
/// The same of a file whose steps go where the listener says; nothing is said meanwhile.
[[nodiscard]] PlanFile read_plan_argument(const std::string& path, bool allow_files, PlanListener& listener);

/// plan_source() with it. On a terminal it is said when building the network takes long.
[[nodiscard]] PlanSource plan_source(const PlanSourceOptions& options, std::string_view verb,
                                     Console& console);

}  // namespace quadrille
