// What a plan file says of itself, against what the judge counted and the bounds here.
//
//     const StatedCheck check = check_stated(file, verdict.figures, all_bounds(file.problem));
//     check.falsehoods     // "steps: the plan states 31, the judge counts 32"
//     check.unchecked      // "bound mine = 9: no bound of that name is known here"
//
// A stated bound is false when the plan itself beats it, whatever its name, when its witness does not prove
// it, and, without a witness, when the bound of that name says something else here. One whose witness proves
// it is true, whoever found it. It is not checked when it has no witness and no bound of that name is known, or
// that bound needs to know the network's structure, and the file gives links and no spec that says it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// Sentences, one for each statement that is not known to be true, and for each bound that its witness proves.
struct StatedCheck {
  std::vector<std::string> falsehoods{};
  std::vector<std::string> unchecked{};
  std::vector<std::string> proved{};

  friend void fields(auto& io, StatedCheck& check) { io(check.falsehoods, check.unchecked, check.proved); }
};

/// For a plan that passed, its figures, and all bounds of its problem.
[[nodiscard]] StatedCheck check_stated(const PlanHead& file, const Figures& figures,
                                       std::span<const Bound> bounds);

/// The sentences about what is not known to be true, one a line.
[[nodiscard]] std::string stated_text(const StatedCheck& check);

}  // namespace quadrille
