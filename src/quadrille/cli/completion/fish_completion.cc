// Fish reads a line for every option, with the condition under which it is offered.
#include <fmt/format.h>

#include "quadrille/base/text.h"
#include "quadrille/cli/completion/completion.h"

namespace quadrille {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// Words to offer, lists asked for when they are needed.
std::string arguments(const ShellOffer& offer) {
  std::string out = join(offer.words, " ");
  for (const std::string& list : offer.lists) {
    out += fmt::format("{}(quadrille list {} --names 2>/dev/null)", out.empty() ? "" : " ", list);
  }
  return out.empty() ? "" : fmt::format(" -a {}", fish_quoted(out));
}

}  // namespace

std::string fish_completion(const std::vector<OfferedCommand>& commands) {
  std::string out =
      "# Completion of quadrille for fish, as `quadrille completion fish` prints it.\n\n"
      "complete -c quadrille -n __fish_use_subcommand -f -l help -d 'the commands'\n"
      "complete -c quadrille -n __fish_use_subcommand -f -l version -d 'which version this is'\n";
  for (const OfferedCommand& command : commands) {
    out += fmt::format("complete -c quadrille -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                       fish_quoted(command.summary));
  }
  for (const OfferedCommand& command : commands) {
    const std::string when =
        fmt::format("complete -c quadrille -n '__fish_seen_subcommand_from {}'", command.name);
    out +=
        fmt::format("\n{} {}{}\n", when, command.arguments.files ? "-F" : "-f", arguments(command.arguments));
    for (const OfferedOption& option : command.options) {
      out += when;
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value_name.empty())
        out += (option.value.files ? " -r -F" : " -x") + arguments(option.value);
      out += fmt::format(" -d {}\n", fish_quoted(option.description));
    }
  }
  return out;
}

}  // namespace quadrille
