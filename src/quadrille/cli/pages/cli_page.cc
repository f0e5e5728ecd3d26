#include <fmt/format.h>

#include "quadrille/cli/command.h"
#include "quadrille/cli/pages.h"

namespace quadrille {

std::string cli_page() {
  std::string out = fmt::format(
      "# The command line\n\nWhat `quadrille --help` prints:\n\n```text\n{}```\n\n"
      "Exit status: 0 if all is well; 1 for a plan that the judge rejects or that states what is false; 2 for bad\n"
      "input, and then nothing was written; 3 for a bug of ours.\n\n"
      "Every command takes `--quiet` (nothing but errors is printed, and what a program reads: JSON, CSV, a file that is\n"
      "`-`) and `--format FORM`: `table`, or `json`, `csv` and `names` where the command has them as options. With\n"
      "`--json` an error is an object, too, on standard error: `error`, `status`, and `source`, `line`, `column`,\n"
      "`excerpt` where it is a mistake in a text; `argument`, `given` and, where that is a list, `allowed` where a value is\n"
      "refused. Text is as wide as the terminal, up to 120 columns, and 100 in a file;\n"
      "`COLUMNS` says otherwise. Colours are for terminals alone, and not where `NO_COLOR` is set.\n\n"
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
