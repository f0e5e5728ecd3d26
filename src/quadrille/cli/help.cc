// What --help prints. CLI11 reads the arguments; the words are laid out here, so that they fit a screen.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/table.h"

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

using OptionAt = std::vector<const CLI::Option*>::const_iterator;

// Options that belong together, one after another, share a line.
OptionAt end_of_group(OptionAt first, OptionAt last) {
  const std::string& group = (*first)->get_group();
  const bool alone = group.empty() || group == CLI::OptionDefaults().get_group();
  return alone ? first + 1 : std::find_if(first, last, [&group](const CLI::Option* option) {
    return option->get_group() != group;
  });
}

// "--ts/--tx T".
std::string words_of_all(OptionAt first, OptionAt last) {
  if (last - first == 1) return option_words(**first);
  std::vector<std::string> names;
  for (OptionAt at = first; at != last; ++at) names.push_back((*at)->get_name());
  return join(names, "/") + " " + (*first)->get_type_name();
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
  out += commands.text(2, kHelpWidth);
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
  const std::vector<const CLI::Option*> options = std::as_const(app).get_options();
  for (auto at = options.begin(); at != options.end();) {
    const CLI::Option& option = **at;
    const auto end = end_of_group(at, options.end());
    if (option.get_positional()) usage += " " + usage_word(option);
    any_option = any_option || option.nonpositional();
    if (&option != app.get_help_ptr()) arguments.row({words_of_all(at, end), option.get_description()});
    at = end;
  }
  if (any_option) usage += " [options]";

  return fmt::format("Usage: {}\n\n{}\n\n{}", usage, wrap(command.details, 0, kTextWidth),
                     arguments.text(2, kTextWidth));
}

std::string command_help(const Command& command) {
  return fmt::format("{}\nExample:\n\n{}", command_usage(command), command.example);
}

}  // namespace quadrille
