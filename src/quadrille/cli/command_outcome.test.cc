#include "quadrille/cli/command_outcome.test.h"

#include <sstream>
#include <vector>

#include "quadrille/cli/command.h"

namespace quadrille {

CommandOutcome run_line(std::string_view line, std::string_view input) {
  std::istringstream in{std::string(input)};
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const std::vector<std::string> words = split_command_line(line);
  const int exit_code = run_command(words, console);
  return {exit_code, out.str(), err.str()};
}

}  // namespace quadrille
