// Claims recomputed: the commands of the claims table, run in this process, and tried on falsehoods.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/claims/claims.h"

namespace quadrille {

struct ClaimCheck {
  bool as_expected = false;
  uint64_t commands = 0;    ///< how many were run
  uint64_t falsehoods = 0;  ///< how many their outputs were searched for

  // Of the command that did not do as the table says, or of the last one:
  std::string command{};
  int exit_code = 0;
  std::string output{};  ///< what it printed, errors included
  /// What is wrong with it: "expected "diameter 24"". Empty if nothing is.
  std::string fault{};
};

/// Runs the commands of a claim, each with all its sizes, until one fails, or does not print what it must, or prints
/// a falsehood, too. Runs of blanks and line ends count as one blank and numbers have no commas, so that it does not
/// matter how tables are laid out.
[[nodiscard]] ClaimCheck check_claim(const PaperClaim& claim);

/// What must not be found where `expect` is: for every number in it, `expect` with that number larger by one wherever
/// it stands. "steps 9 (predicted 9) in 2 parts" -> "steps 10 (predicted 10) in 2 parts", "... 9 ... 9 ... 3 parts".
[[nodiscard]] std::vector<std::string> falsehoods(std::string_view expect);

/// "a  b\n c 1,024" -> "a b c 1024".
[[nodiscard]] std::string squeezed(std::string_view text);

/// Whether a squeezed text has the fragment, whose first and last words are whole words of it.
[[nodiscard]] bool has_words(std::string_view text, std::string_view fragment);

}  // namespace quadrille
