// Claims: what the five papers behind Quadrille assert, row by row, and what became of each assertion here.
//
// A paper is a table of claims in the paper's own order and under the paper's own numbers ("Theorem 4.11",
// "Table 6.2", "Figure 3.4(b)", "Equation (6.5)"; where a claim has no number, "Section 3.2.1, special
// cases"). Definitions, and figures that only draw one, carry no row. `quadrille claims` prints the tables as
// docs/claims.md.
//
// A verdict is earned by a computation, never by reading: whoever sets one gives the command lines that
// recompute the claim and a piece of what each must print, and a test runs every such command; or, where the
// claim is about more than runs show (every step of a queue, every node of a proof), the test that does.
//
// And a check that nothing can fail earns nothing. So each is tried on a falsehood: what a command must print is
// altered, number by number, and what it prints must not have it; and a test must fail where the figure that it
// states for the paper is planted wrong (testing/stated.test.h).
//
// So
//
//     for (const Paper& paper : papers())
//       for (const PaperClaim& claim : paper.claims)
//         if (claim.verdict == ClaimVerdict::kNotYet) ...   // the work that is left
//
// All text is ASCII, one line, and free of the characters that mean something inside a markdown table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace quadrille {

/// What the recomputation said.
enum class ClaimVerdict : uint8_t {
  kHolds,       ///< as the paper has it
  kCorrected,   ///< not as the paper has it; `note` says what is wrong, the checks show it and the right form
  kSuperseded,  ///< true, but something better is known here; the checks show the paper's own, then the better
  kNotYet,      ///< nothing recomputes it yet; `note` may already know an erratum
};

/// "holds", "corrected", "superseded", "not yet".
[[nodiscard]] std::string_view to_text(ClaimVerdict verdict);

/// A command line, and what it must print where the claim is judged rightly.
struct Recomputation {
  /// "quadrille show \"line({n})\"", at a size small enough for a test.
  std::string_view command = {};

  /// A fragment that the output must contain, where blanks and line ends count as one blank and thousands have
  /// no commas: "steps 32 (predicted 32)", "diameter {n-1} average". Where it begins or ends with a digit or a
  /// letter, a word of the output does.
  std::string_view expect = {};

  /// The sizes that both are tried with, formulas in braces filled in (claims/formula.h): "n = 1..40".
  std::string_view over = {};

  /// What the output must not contain. Needed only where `expect` has no number that could be wrong: else each
  /// of its numbers, altered, is one.
  std::string_view falsehood = {};
};

/// The commands of a claim: a claim for every size has several or one that runs over sizes, a superseded one has
/// the paper's own beside what is better.
class Recomputations {
 public:
  constexpr Recomputations() = default;
  constexpr Recomputations(std::initializer_list<Recomputation> all) {
    for (const Recomputation& each : all) all_.at(size_++) = each;
  }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr size_t size() const { return size_; }
  [[nodiscard]] constexpr const Recomputation* begin() const { return all_.data(); }
  [[nodiscard]] constexpr const Recomputation* end() const { return all_.data() + size_; }

 private:
  std::array<Recomputation, 8> all_ = {};
  size_t size_ = 0;
};

/// One assertion of a paper. (What the card of an algorithm says of its plan is a Prediction.)
struct PaperClaim {
  /// The paper's own label, unique within the paper.
  std::string_view item = {};

  /// The assertion in one sentence of ours, as the paper means it, with formulas in ASCII. Where the paper is
  /// wrong the sentence is wrong too: `note` has the truth.
  std::string_view statement = {};

  ClaimVerdict verdict = ClaimVerdict::kNotYet;

  /// The command lines that recompute the claim. Empty while the verdict is kNotYet, and where a `test` is
  /// enough.
  Recomputations checks = {};

  /// The unit test that recomputes the claim, or what of it no command does: "DissertationClaims.Lemma4_1". It states
  /// the paper's figures through stated().
  std::string_view test = {};

  /// The erratum in a sentence, with its smallest counterexample where one is known; or what is better known
  /// now. Empty where there is nothing to say.
  std::string_view note = {};
};

struct Paper {
  std::string_view key = {};  ///< what `quadrille claims` calls it: the name of the source file of its table
  std::string_view citation = {};
  std::span<const PaperClaim> claims = {};  ///< in the order of the paper
};

/// All five, oldest first. The tables live as long as the program.
[[nodiscard]] std::span<const Paper> papers();

}  // namespace quadrille
