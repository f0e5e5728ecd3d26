// What --help prints. The words are laid out here, so that they fit a screen.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
std::string general_help() {
  std::string out =
      "Quadrille: schedules for collective communication, made, judged and run.\n"
      "Usage: quadrille COMMAND [arguments]      (quadrille COMMAND --help says more)\n\n";
  Table commands({"", ""});
  std::vector<std::string_view> aside;
  for (const Command* command : command_catalog()) {
    if (command->aside) {
      aside.push_back(command->name);
    } else {
      commands.row({std::string(command->name), std::string(command->summary)});
    }
  }
  out += commands.text(2, kHelpWidth);
  out += fmt::format("  and: {}\n", join(aside));
  out +=
      "\nNetworks: \"torus(8,8)\", .. (list topologies). Collectives: list collectives.\n"
      "Any command: --quiet, --format. Start with: quadrille run alltoall \"torus(4,4)\"\n";
  return out;
}

std::string command_usage(const Command& command) {
  ArgumentParser app(fmt::format("quadrille {}", command.name));
  command.setup(app);
  Table arguments({"", ""});
  for (auto& [words, description] : app.help_lines())
    arguments.row({std::move(words), std::move(description)});
  return fmt::format("Usage: {}\n\n{}\n\n{}", app.usage(), wrap(command.details, 0, kTextWidth),
                     arguments.text(2, kTextWidth));
}

std::string command_help(const Command& command) {
  return fmt::format("{}\nExample:\n\n{}", command_usage(command), command.example);
}

}  // namespace quadrille
