// Bash asks a function, which sees the words so far.
#include <fmt/format.h>

#include "quadrille/base/text.h"
#include "quadrille/cli/completion/completion.h"

namespace quadrille {
namespace {

// As words for `compgen -W`: lists are asked for when they are needed.
std::string words_of(const ShellOffer& offer) {
  std::string out = join(offer.words, " ");
  for (const std::string& list : offer.lists) {
    if (!out.empty()) out += ' ';
    out += fmt::format("$(_quadrille_names {})", list);
  }
  return out;
}

std::string answer(const ShellOffer& offer) {
  std::string out;
  const std::string words = words_of(offer);
  if (!words.empty()) out = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))", words);
  if (offer.files) out += fmt::format("{}COMPREPLY+=($(compgen -f -- \"$word\"))", out.empty() ? "" : "; ");
  return out.empty() ? "COMPREPLY=()" : out;
}

}  // namespace

std::string bash_completion(const std::vector<OfferedCommand>& commands) {
  std::string names;
  std::string options;
  std::string values;
  std::string arguments;
  for (const OfferedCommand& command : commands) {
    names += command.name + " ";
    std::string flags;
    for (const OfferedOption& option : command.options) {
      flags += (flags.empty() ? "" : " ") + join(option.names, " ");
      if (option.value_name.empty()) continue;
      std::vector<std::string> cases;
      for (const std::string& name : option.names)
        cases.push_back(fmt::format("'{} {}'", command.name, name));
      values += fmt::format("    {}) {}; return ;;\n", join(cases, "|"), answer(option.value));
    }
    options += fmt::format("      {}) options='{}' ;;\n", command.name, flags);
    arguments += fmt::format("    {}) {} ;;\n", command.name, answer(command.arguments));
  }
  return fmt::format(R"~(# Completion of quadrille for bash, as `quadrille completion bash` prints it.

_quadrille_names() {{
  quadrille list "$1" --names 2>/dev/null
}}

_quadrille() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} options=
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{}help --help --version" -- "$word"))
    return
  fi
  case "$command $before" in
{}  esac
  if [[ $word == -* ]]; then
    case "$command" in
{}    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case "$command" in
    help) COMPREPLY=($(compgen -W "{}" -- "$word")) ;;
{}  esac
}}

complete -o filenames -F _quadrille quadrille
)~",
                     names, values, options, names, arguments);
}

}  // namespace quadrille
