// quadrille completion: what shells offer while a command line is typed.
#include "quadrille/cli/completion/completion.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/options/argument_parser.h"

namespace quadrille {
namespace completion_parts {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const std::vector<OfferedCommand>& commands);
};
constexpr std::array kShells = {Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                                Shell{"fish", fish_completion}};

int print_script(const std::string& name, Console& console) {
  std::vector<std::string_view> names;
  for (const Shell& shell : kShells) {
    if (shell.name == name) {
      console.out << shell.script(offered_commands());
      return kExitOk;
    }
    names.push_back(shell.name);
  }
  throw InputError(fmt::format("there is no completion for '{}'; there is one for {}", name, join(names)));
}

CommandAction setup(ArgumentParser& app) {
  const auto name = std::make_shared<std::string>();
  app.add_option("SHELL", *name, "bash, zsh or fish")->required()->offers("bash zsh fish");
  return [name](Console& console) { return print_script(*name, console); };
}

}  // namespace
}  // namespace completion_parts

namespace commands {

extern const Command completion;

const Command completion{
    .name = "completion",
    .summary = "what bash, zsh or fish offer while a command is typed",
    .details =
        "Prints a script that tells the shell the commands, their options and values, and the names of collectives, "
        "topologies, algorithms and machines. For this shell: `source <(quadrille completion bash)`. An installed "
        "program has the scripts where shells look for them.",
    .example = R"~($ quadrille completion fish | grep "from plan' -l switching"
complete -c quadrille -n '__fish_seen_subcommand_from plan' -l switching -x -a 'packet wormhole shared' -d 'packet (default): one link; wormhole: disjoint paths; shared: any paths'
)~",
    .aside = true,
    .setup = completion_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
