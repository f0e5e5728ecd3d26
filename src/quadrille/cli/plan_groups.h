// `quadrille plan --groups`, and `run`: several collectives at once on one network.
#pragma once

#include <string>

#include "quadrille/cli/console.h"
#include "quadrille/compile/groups/plan_groups.h"
#include "quadrille/options/problem_options.h"

namespace quadrille {

struct GroupsWish {
  std::string groups{};  ///< a file, or rows, columns, planes, or numbers of dimensions
  std::string output{};  ///< empty: no file; else each group has one, numbered before the ending
  Wishes search{};       ///< whose gap and effort count
  bool json = false;
};

/// The plan of all groups that are named: a file, or rows and the like. Throws InputError, also for options that are for the
/// plan of one collective.
[[nodiscard]] GroupPlan planned_groups(const ProblemOptions& problem, const std::string& wanted,
                                       const Wishes& wishes, Console& console);

/// Plans all groups of the network, and says what became of them. Throws InputError.
[[nodiscard]] int plan_all_groups(const ProblemOptions& problem, const GroupsWish& wish, Console& console);

}  // namespace quadrille
