// What a command of the program did.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

struct CommandOutcome {
  int exit_code = 0;
  std::string out{};
  std::string err{};
};

/// Runs a command line, without the program's name and with nothing on standard input, in this process.
[[nodiscard]] CommandOutcome run_line(std::string_view line, std::string_view input = "");

}  // namespace quadrille
