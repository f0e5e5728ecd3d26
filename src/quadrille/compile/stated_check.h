// What a plan file says of itself, against what the judge counted and the bounds here.
//
//     const StatedCheck check = check_stated(file, verdict.figures, all_bounds(file.problem));
//     check.falsehoods     // "steps: the plan states 31, the judge counts 32"
//     check.unchecked      // "bound mine = 9: no bound of that name is known here"
//
// A stated bound is false when the plan itself beats it, whatever its name, and when the bound of that name
// says something else here. It is not checked when no bound of that name is known, or when the bound needs to
// know the network's structure, and the file gives links and no spec that says it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// Sentences, one for each statement that is not known to be true.
struct StatedCheck {
  std::vector<std::string> falsehoods{};
  std::vector<std::string> unchecked{};
};

/// For a plan that passed, its figures, and all bounds of its problem.
[[nodiscard]] StatedCheck check_stated(const PlanHead& file, const Figures& figures,
                                       std::span<const Bound> bounds);

/// The sentences, one a line.
[[nodiscard]] std::string stated_text(const StatedCheck& check);

}  // namespace quadrille
