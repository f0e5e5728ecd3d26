// Manual pages, in the roff of man(7), from the same cards as the help.
#pragma once

#include <string>

#include "quadrille/cli/command.h"

namespace quadrille {

/// quadrille-COMMAND(1).
[[nodiscard]] std::string man_page(const Command& command);

/// quadrille(1): the commands, and what holds for all.
[[nodiscard]] std::string man_page_of_all();

}  // namespace quadrille
