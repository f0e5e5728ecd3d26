// What --help prints. CLI11 reads the arguments; the words are laid out here, so that they fit a screen.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "quadrille/cli/command.h"
#include "quadrille/cli/table.h"

namespace quadrille {
namespace {

std::string usage_word(const CLI::Option& option) {
  const std::string name = option.get_name(true, false);
  return option.get_required() ? name : "[" + name + "]";
}

std::string option_words(const CLI::Option& option) {
  if (!option.nonpositional()) return option.get_name(true, false);
  std::string words;
  for (const std::string& name : option.get_snames()) words += (words.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) words += (words.empty() ? "--" : ", --") + name;
  const bool takes_value = option.get_items_expected_max() > 0;
  return takes_value ? words + " " + option.get_type_name() : words;
}

}  // namespace

std::string general_help() {
  std::string out =
      "Quadrille: schedules for collective communication, made, judged and run.\n\n"
      "Usage: quadrille COMMAND [arguments]      (quadrille COMMAND --help says more)\n\n";
  Table commands({"", ""});
  for (const Command* command : command_catalog()) {
    commands.row({std::string(command->name), std::string(command->summary)});
  }
  out += commands.text(2);
  out +=
      "\nNetworks are written like \"torus(8,8)\" or \"fat_tree(4,4;constant)\"; for more,\n"
      "quadrille list topologies. Collectives have MPI's names: broadcast, scatter,\n"
      "gather, allgather, alltoall, reduce, reduce_scatter, allreduce.\n"
      "\nStart with: quadrille run alltoall \"torus(4,4)\"\n";
  return out;
}

std::string command_usage(const Command& command) {
  CLI::App app;
  command.setup(app);

  std::string usage = fmt::format("quadrille {}", command.name);
  Table arguments({"", ""});
  bool any_option = false;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) usage += " " + usage_word(*option);
    any_option = any_option || option->nonpositional();
    arguments.row({option_words(*option), option->get_description()});
  }
  if (any_option) usage += " [options]";

  return fmt::format("Usage: {}\n\n{}\n\n{}", usage, wrap(command.details, 0, kHelpWidth),
                     arguments.text(2, kHelpWidth));
}

std::string command_help(const Command& command) {
  return fmt::format("{}\nExample:\n\n{}", command_usage(command), command.example);
}

}  // namespace quadrille
