#include "quadrille/cli/claims_check.h"

#include <sstream>
#include <vector>

#include "quadrille/cli/command.h"

namespace quadrille {

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char plain = c == '\n' || c == '\t' ? ' ' : c;
    if (plain != ' ' || (!out.empty() && out.back() != ' ')) out += plain;
  }
  return out;
}

ClaimCheck check_claim(const PaperClaim& claim) {
  std::vector<std::string> words = split_command_line(claim.command);
  words.erase(words.begin());  // the program itself
  std::istringstream in;
  std::ostringstream out;
  Console console{in, out, out};
  ClaimCheck result;
  result.exit_code = run_command(words, console);
  result.output = out.str();
  result.as_expected =
      result.exit_code == kExitOk && squeezed(result.output).find(claim.expect) != std::string::npos;
  return result;
}

}  // namespace quadrille
