// What every algorithm says of a problem: whether it applies, or which condition fails, and what it predicts.
//
//     for (const Offer& offer : offers(problem)) {
//       if (offer.applies) compile(problem, {.algorithm = offer.name});
//     }
#pragma once

#include <string>
#include <vector>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct Offer {
  std::string name{};     ///< as Wishes::algorithm and --algorithm take it
  std::string summary{};  ///< one line
  bool applies = false;
  std::string reason{};       ///< the condition that fails
  StatedFigures predicted{};  ///< figures that are known before the plan exists
};

/// Every algorithm for the problem's collective, by name. Some search for what they predict: it may take as
/// long as their plan.
[[nodiscard]] std::vector<Offer> offers(const Problem& problem);

}  // namespace quadrille
