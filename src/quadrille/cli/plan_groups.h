// `quadrille plan --groups`: several collectives at once on one network.
#pragma once

#include <string>

#include "quadrille/cli/console.h"
#include "quadrille/options/problem_options.h"

namespace quadrille {

struct GroupsWish {
  std::string groups{};  ///< a file, or rows, columns, planes, or numbers of dimensions
  std::string output{};  ///< empty: no file; else each group has one, numbered before the ending
  bool json = false;
};

/// Plans all groups of the network, and says what became of them. Throws InputError.
[[nodiscard]] int plan_all_groups(const ProblemOptions& problem, const GroupsWish& wish, Console& console);

}  // namespace quadrille
