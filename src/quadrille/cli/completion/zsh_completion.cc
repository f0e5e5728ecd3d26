// Zsh's _arguments reads a table: one word for every option.
#include <fmt/format.h>

#include "quadrille/base/text.h"
#include "quadrille/cli/completion/completion.h"

namespace quadrille {
namespace {

// Inside of single quotes; brackets and colons mean something to _arguments.
std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// What _arguments does to find values: a list of words, files, or a function of ours.
std::string action(const ShellOffer& offer) {
  if (offer.lists.empty() && !offer.files) {
    return offer.words.empty() ? " " : fmt::format("({})", join(offer.words, " "));
  }
  if (offer.lists.empty() && offer.words.empty()) return "_files";
  return fmt::format("{{_quadrille_offer {} \"{}\" \"{}\"}}", offer.files ? "files" : "-",
                     join(offer.lists, " "), join(offer.words, " "));
}

void add_option(const OfferedOption& option, std::string& out) {
  const std::string value = option.value_name.empty()
                                ? ""
                                : fmt::format(":{}:{}", zsh_quoted(option.value_name), action(option.value));
  for (const std::string& name : option.names) {
    out += fmt::format("        '*{}[{}]{}' \\\n", name, zsh_quoted(option.description), value);
  }
}

}  // namespace

std::string zsh_completion(const std::vector<OfferedCommand>& commands) {
  std::string names;
  std::string cases;
  for (const OfferedCommand& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(command.summary));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const OfferedOption& option : command.options) add_option(option, cases);
    cases += fmt::format("        '*:argument:{}'\n      ;;\n", action(command.arguments));
  }
  return fmt::format(R"~(#compdef quadrille
# Completion of quadrille for zsh, as `quadrille completion zsh` prints it.

# files or -, lists, words
_quadrille_offer() {{
  local -a found
  local list
  for list in ${{(s: :)2}}; do found+=(${{(f)"$(quadrille list $list --names 2>/dev/null)"}}); done
  found+=(${{(s: :)3}})
  compadd -a found
  [[ $1 == files ]] && _files
}}

_quadrille() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}

_quadrille "$@"
)~",
                     names, cases);
}

}  // namespace quadrille
