// Claims recomputed: the commands of the claims table, run in this process.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/claims/claims.h"

namespace quadrille {

struct ClaimCheck {
  bool as_expected = false;
  int exit_code = 0;
  std::string output;  ///< what the command printed, errors included
};

/// Runs the command of a claim that has one, and looks for what it must print. Runs of blanks and line ends
/// count as one blank, so that it does not matter how tables are laid out.
[[nodiscard]] ClaimCheck check_claim(const PaperClaim& claim);

/// "a  b\n c" -> "a b c".
[[nodiscard]] std::string squeezed(std::string_view text);

}  // namespace quadrille
