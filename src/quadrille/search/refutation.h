// Refutations: proofs that a formula cannot be satisfied, and the checker that believes nobody.
//
// A refutation is a list of lemmas. Each must follow from the formula and the lemmas before it by unit
// propagation alone: assume that all its literals are false, and whenever all literals of a clause but one
// are false make that one true, until some clause has only false literals. The last lemma has no literals: a
// contradiction. The list may say that a clause is no longer needed, which only saves work.
//
// The form is DRAT in its binary encoding, as solvers write it and other checkers read it: 'a' or 'd' (add,
// delete), the literals as variable-length numbers 2 v or 2 v + 1 (negative), least significant seven bits
// first, and a zero. DRAT also allows lemmas that do not follow but change no satisfiability; this checker
// refuses them (it reads RUP only), which is all that our searches need.
//
//     const RefutationCheck check = check_refutation(formula, proof);
//     if (!check.refutes) report(check.why);
//
// A proof as a solver writes it contains mostly lemmas that lead nowhere; trimmed() keeps what the
// contradiction rests on, which is what is worth storing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "quadrille/search/formula.h"

namespace quadrille {

struct RefutationCheck {
  bool refutes = false;
  std::string why{};      ///< what is wrong, when it does not
  uint64_t lemmas = 0;    ///< that were checked, up to the contradiction
  uint64_t core = 0;      ///< clauses of the formula that the contradiction rests on
  std::string trimmed{};  ///< the lemmas that it rests on, in the same form
};

/// Checks every lemma up to the first contradiction. Memory and time grow with the proof; some 100,000 lemmas
/// of a formula of 10,000 clauses take seconds.
[[nodiscard]] RefutationCheck check_refutation(const Formula& formula, std::string_view drat);

/// Whether it refutes, in a fraction of the time: backwards from the first contradiction those lemmas alone are checked that
/// it rests on, each with what stands before it (Heule, Hunt and Wetzler 2013). Others may be anything. `core` and `trimmed`
/// stay empty.
[[nodiscard]] RefutationCheck check_what_is_needed(const Formula& formula, std::string_view drat);

/// Checks and trims again and again while that makes the proof shorter, at most `rounds` times. The proof
/// must refute the formula.
[[nodiscard]] std::string trimmed(const Formula& formula, std::string_view drat, int rounds = 8);

}  // namespace quadrille
