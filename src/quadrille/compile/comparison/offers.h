// What every algorithm says of a problem: whether it applies, or which condition fails, and what it predicts.
//
//     for (const Offer& offer : offers(problem)) {
//       if (offer.applies) compile(problem, {.algorithm = offer.name});
//     }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/schedule/plan_file.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

struct Offer {
  std::string name{};     ///< as Wishes::algorithm and --algorithm take it
  std::string summary{};  ///< one line
  bool applies = false;
  std::string reason{};       ///< the condition that fails; of one that applies, a remark or nothing
  StatedFigures predicted{};  ///< figures that are known before the plan exists
  std::optional<uint64_t> rearranged{};  ///< and how many blocks the busiest node moves in memory
};

/// What one algorithm says, by its name in the catalog.
[[nodiscard]] Offer offer_of(std::string_view algorithm, const Problem& problem);

/// Every algorithm for the problem's collective, by name. Some search for what they predict: it may take as
/// long as their plan.
[[nodiscard]] std::vector<Offer> offers(const Problem& problem);

}  // namespace quadrille
