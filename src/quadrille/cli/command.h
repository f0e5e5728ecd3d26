// Command: a card for each word that may follow `quadrille`.
//
// One command is one file, commands/<name>.cc, that defines one constant card named like the file, and one
// line in commands/catalog.inc. Dispatch, `quadrille --help` and docs/cli.md come from the cards.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/catalog.h"
#include "quadrille/cli/console.h"

namespace quadrille {

class ArgumentParser;

/// What a command does once its arguments are read; returns the exit code.
using CommandAction = std::function<int(Console&)>;

struct Command {
  std::string_view name{};
  std::string_view summary{};  ///< one line, in `quadrille --help`
  /// What the help says above the options: a paragraph.
  std::string_view details{};
  /// A transcript: a line "$ quadrille ..." and what it printed. A test runs it, after those of the commands
  /// that come before.
  std::string_view example{};
  /// Named on the front page, but without a line of its own there.
  bool aside = false;
  /// Declares the arguments. The action owns the variables that they are read into.
  CommandAction (*setup)(ArgumentParser&) = nullptr;
};

/// All cards, sorted by name.
[[nodiscard]] const Catalog<Command>& command_catalog();

/// What `quadrille --help` prints: one screen.
[[nodiscard]] std::string general_help();
/// The usage, the details and the options of a command, without the example.
[[nodiscard]] std::string command_usage(const Command& command);
/// What `quadrille NAME --help` prints: the usage and the example.
[[nodiscard]] std::string command_help(const Command& command);

/// Does what a command line asks for; `args` is without the program's name. Catches everything: the result is
/// the exit code, and errors are one message on console.err.
[[nodiscard]] int run_command(std::span<const std::string> args, Console& console);

/// The words of a command line as a shell would split it, as far as quotes go: 'a b' and "a b" are one word.
[[nodiscard]] std::vector<std::string> split_command_line(std::string_view line);

}  // namespace quadrille
