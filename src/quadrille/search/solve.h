// Exact search: whether a formula can be satisfied, how, and if not, a proof of it.
//
// The search is CaDiCaL's (Biere et al.), whose limit here is a number of conflicts, never a time: the same
// formula with the same settings gives the same answer, the same values and the same proof on every machine
// that has the same version of the library. An answer "undecided" says nothing about the formula.
//
//     const SearchAnswer answer = solve(formula, {.conflicts = 100'000, .want_proof = true});
//     if (answer.satisfiable()) use(answer.value(rain));
//     if (answer.unsatisfiable()) check_refutation(formula, answer.proof);     // refutation.h
//
// Nobody has to believe the search: values are checked by whoever builds something from them (the judge), and
// a proof by check_refutation, which shares no code with CaDiCaL.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "quadrille/search/formula.h"

namespace quadrille {

/// What the search should be good at.
enum class SearchFocus : uint8_t {
  kEither,
  kSolutions,  ///< finding values: prefers local search and rapid progress
  kSteady,     ///< the same, but stays where it is: what it knows of values is never thrown away
  kProofs,     ///< refuting
};

struct SearchSettings {
  /// Gives up after so many conflicts, at most 2^31 - 1. Some 10,000 to 100,000 take a second.
  uint32_t conflicts = 100'000;
  SearchFocus focus = SearchFocus::kEither;
  /// Other seeds try in another order; the answer's truth does not depend on it.
  uint32_t seed = 0;
  bool want_proof = false;
};

enum class SearchOutcome : uint8_t { kSatisfiable, kUnsatisfiable, kUndecided };

struct SearchAnswer {
  SearchOutcome outcome = SearchOutcome::kUndecided;
  /// values[v]: variable v is true; only when satisfiable. values[0] is not used.
  std::vector<bool> values{};
  /// Binary DRAT; only when unsatisfiable and wanted.
  std::string proof{};

  [[nodiscard]] bool satisfiable() const { return outcome == SearchOutcome::kSatisfiable; }
  [[nodiscard]] bool unsatisfiable() const { return outcome == SearchOutcome::kUnsatisfiable; }
  [[nodiscard]] bool value(int literal) const {
    return values[static_cast<size_t>(std::abs(literal))] == (literal > 0);
  }
};

[[nodiscard]] SearchAnswer solve(const Formula& formula, const SearchSettings& settings = {});

}  // namespace quadrille
