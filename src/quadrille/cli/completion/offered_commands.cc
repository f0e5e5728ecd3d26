#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/completion/completion.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace {

void add_words(std::string_view offered, ShellOffer& offer) {
  while (!offered.empty()) {
    const size_t blank = std::min(offered.find(' '), offered.size());
    const std::string_view word = offered.substr(0, blank);
    offered.remove_prefix(std::min(blank + 1, offered.size()));
    if (word == "@files") {
      offer.files = true;
    } else if (word.starts_with('@')) {
      offer.lists.emplace_back(word.substr(1));
    } else {
      offer.words.emplace_back(word);
    }
  }
}

// What a positional argument stands for is in its name.
void add_argument(const Argument& argument, ShellOffer& offer) {
  add_words(argument.offered(), offer);
  std::string_view name = argument.name();
  if (name.ends_with("...")) name.remove_suffix(3);
  if (name == "COLLECTIVE") offer.lists.emplace_back("collectives");
  if (name == "TOPOLOGY" || name == "SPEC") offer.lists.emplace_back("topologies");
  if (name == "FILE" || name == "PLAN" || name == "TOPOLOGY" || name == "SPEC") offer.files = true;
}

OfferedOption option_of(const Argument& argument) {
  OfferedOption out{argument.all_names(), argument.description()};
  if (argument.is_flag()) return out;
  out.value_name = argument.value_name();
  add_words(argument.offered(), out.value);
  if (out.value_name == "FILE") out.value.files = true;
  return out;
}

bool has_flag(const OfferedCommand& command, std::string_view name) {
  return std::ranges::any_of(command.options, [&](const OfferedOption& o) { return o.names.back() == name; });
}

void add_common(OfferedCommand& command) {
  OfferedOption form{{"--format"}, "the form of what is printed", "FORM", {.words = {"table"}}};
  for (const char* known : {"json", "csv", "names"}) {
    if (has_flag(command, fmt::format("--{}", known))) form.value.words.emplace_back(known);
  }
  command.options.push_back(std::move(form));
  command.options.push_back({{"--quiet"}, "print nothing but errors"});
  command.options.push_back({{"-h", "--help"}, "how the command is used"});
}

}  // namespace

std::vector<OfferedCommand> offered_commands() {
  std::vector<OfferedCommand> out;
  for (const Command* card : command_catalog()) {
    OfferedCommand& command = out.emplace_back();
    command.name = card->name;
    command.summary = card->summary;
    ArgumentParser app(fmt::format("quadrille {}", card->name));
    card->setup(app);
    for (const Argument& argument : app.arguments()) {
      if (argument.is_option()) {
        command.options.push_back(option_of(argument));
      } else {
        add_argument(argument, command.arguments);
      }
    }
    std::vector<std::string>& lists = command.arguments.lists;
    std::sort(lists.begin(), lists.end());
    lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
    add_common(command);
  }
  return out;
}

}  // namespace quadrille
