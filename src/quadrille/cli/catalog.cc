#include <array>
#include <string_view>

#include "quadrille/cli/command.h"

namespace quadrille {
namespace {

#define QUADRILLE_COMMAND(name) &commands::name,
constexpr std::array kCommands = {
#include "quadrille/cli/commands/catalog.inc"
};
#undef QUADRILLE_COMMAND

}  // namespace

std::span<const Command* const> command_catalog() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

}  // namespace quadrille
