#include <fmt/format.h>

#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"

namespace quadrille {

std::string cli_page() {
  std::string out = fmt::format(
      "# The command line\n\nWhat `quadrille --help` prints:\n\n```text\n{}```\n\n"
      "Exit status: 0 if all is well; 1 for a plan that the judge rejects or that states what is false; 2 for bad\n"
      "input, and then nothing was written; 3 for a bug of ours.\n\n"
      "And the help of each command. A test runs the examples, one after another in one folder. This page is written\n"
      "by `quadrille docs cli`.\n",
      general_help());
  for (const Command* command : command_catalog()) {
    out += fmt::format("\n## {}\n\n```text\n{}```\n\n```console\n{}```\n", command->name,
                       command_usage(*command), command->example);
  }
  return out;
}

}  // namespace quadrille
