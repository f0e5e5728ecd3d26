#include <array>

#include "quadrille/cli/command.h"

namespace quadrille {

namespace commands {
#define QUADRILLE_COMMAND(name) extern const Command name;
#include "quadrille/cli/commands/catalog.inc"
#undef QUADRILLE_COMMAND
}  // namespace commands

namespace {

constexpr std::array kCards = {
#define QUADRILLE_COMMAND(name) &commands::name,
#include "quadrille/cli/commands/catalog.inc"
#undef QUADRILLE_COMMAND
};

}  // namespace

const Catalog<Command>& command_catalog() {
  static constexpr Catalog<Command> kCatalog(kCards);
  return kCatalog;
}

}  // namespace quadrille
