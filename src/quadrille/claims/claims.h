// Claims: what the five papers behind Quadrille assert, row by row, and what became of each assertion here.
//
// A paper is a table of claims in the paper's own order and under the paper's own numbers ("Theorem 4.11",
// "Table 6.2", "Figure 3.4(b)", "Equation (6.5)"; where a claim has no number, "Section 3.2.1, special
// cases"). Definitions, and figures that only draw one, carry no row. `quadrille claims` prints the tables as
// docs/claims.md.
//
// A verdict is earned by a computation, never by reading: whoever sets one gives the command line that
// recomputes the claim and a piece of what it must print, and a test runs every such command; or, where the
// claim is about more than one run shows (every step of a queue, every node of a proof), the test that does.
// So
//
//     for (const Paper& paper : papers())
//       for (const PaperClaim& claim : paper.claims)
//         if (claim.verdict == ClaimVerdict::kNotYet) ...   // the work that is left
//
// All text is ASCII, one line, and free of the characters that mean something inside a markdown table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quadrille {

/// What the recomputation said.
enum class ClaimVerdict : uint8_t {
  kHolds,       ///< as the paper has it
  kCorrected,   ///< not as the paper has it; `note` says what is wrong, the command checks the right form
  kSuperseded,  ///< true, but something better is known here; the command shows the better thing
  kNotYet,      ///< nothing recomputes it yet; `note` may already know an erratum
};

/// "holds", "corrected", "superseded", "not yet".
[[nodiscard]] std::string_view to_text(ClaimVerdict verdict);

/// One assertion of a paper. (What the card of an algorithm says of its plan is a Prediction.)
struct PaperClaim {
  /// The paper's own label, unique within the paper.
  std::string_view item = {};

  /// The assertion in one sentence of ours, as the paper means it, with formulas in ASCII. Where the paper is
  /// wrong the sentence is wrong too: `note` has the truth.
  std::string_view statement = {};

  ClaimVerdict verdict = ClaimVerdict::kNotYet;

  /// The quadrille command line that recomputes the claim, at a size small enough for a test. Empty while the
  /// verdict is kNotYet, and where there is a `test` instead.
  std::string_view command = {};

  /// A fragment that the output of `command` must contain, where blanks and line ends count as one blank:
  /// "steps 32 (predicted 32)". A test runs each command and looks for it.
  std::string_view expect = {};

  /// The unit test that recomputes the claim where no command does: "DissertationClaims.Lemma4_1".
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
