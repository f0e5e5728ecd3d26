#include <fmt/format.h>

#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"

namespace quadrille {

std::string cli_page() {
  std::string out = fmt::format(
      "# The command line\n\nWhat `quadrille --help` and the help of each command print; the examples are "
      "run by a "
      "test. This page is\nwritten by `quadrille docs cli`.\n\n```text\n{}```\n\n"
      "Exit status: 0 if all is well; 1 for a plan that the judge rejects or that claims what is false; 2 "
      "for bad\n"
      "input, and then nothing was written; 3 for a bug of ours.\n",
      general_help());
  for (const Command* command : command_catalog()) {
    out += fmt::format("\n## {}\n\n```text\n{}```\n", command->name, command_help(*command));
  }
  return out;
}

}  // namespace quadrille
