#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"

namespace quadrille {
namespace {

std::string did_you_mean(std::string_view given, const std::vector<std::string_view>& known) {
  const std::string_view near = nearest_name(given, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

const Command& command_named(const std::string& name) {
  if (const Command* command = command_catalog().find(name)) return *command;
  const std::vector<std::string_view> names = command_catalog().names();
  const std::string hint = did_you_mean(name, names);
  throw InputError(fmt::format("no command is called '{}'{}{} known commands: {}", name, hint,
                               hint.empty() ? ";" : "", join(names)));
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The words that nobody asked for: an option that does not exist, or an argument too many.
InputError unexpected_arguments(const Command& command, const CLI::App& app) {
  const std::string first = app.remaining().front();
  if (!first.starts_with("-")) {
    return InputError(fmt::format("quadrille {} does not expect '{}'", command.name, first));
  }
  const std::string name = first.substr(0, first.find('='));
  const std::vector<std::string> names = option_names(app);
  return InputError(fmt::format("quadrille {} has no option {}{}", command.name, name,
                                did_you_mean(name, {names.begin(), names.end()})));
}

// "Could not convert: --pieces = many". What is not text is a whole number, everywhere.
std::string conversion_words(std::string_view what) {
  constexpr std::string_view kStart = "Could not convert: ";
  constexpr std::string_view kMiddle = " = ";
  const size_t middle = what.find(kMiddle);
  if (!what.starts_with(kStart) || middle == std::string_view::npos) return std::string(what);
  return fmt::format("{}: '{}' is not a whole number that fits",
                     what.substr(kStart.size(), middle - kStart.size()),
                     what.substr(middle + kMiddle.size()));
}

// An empty text would count as an option that was left out, without a word.
void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    for (const std::string& value : option->results()) {
      if (!value.empty()) continue;
      throw InputError(fmt::format("{}: '' is given; allowed is {}, or to leave the option out",
                                   option->get_name(false, true), option->get_type_name()));
    }
  }
}

int run_named(const Command& command, std::span<const std::string> args, Console& console) {
  CLI::App app;
  const CommandAction action = command.setup(app);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    console.out << command_help(command);
    return kExitOk;
  } catch (const CLI::ExtrasError&) {
    throw unexpected_arguments(command, app);
  } catch (const CLI::ConversionError& error) {
    throw InputError(conversion_words(error.what()));
  } catch (const CLI::ValidationError& error) {
    throw InputError(error.what());  // names the option, what was given, and what is allowed
  } catch (const CLI::ParseError& error) {
    throw InputError(
        fmt::format("{}\n  quadrille {} --help shows the arguments", error.what(), command.name));
  }
  require_values(app);
  return action(console);
}

int dispatch(std::span<const std::string> args, Console& console) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    console.out << general_help();
    return args.empty() ? kExitBadInput : kExitOk;
  }
  if (args[0] == "--version") {
    console.out << "quadrille " << QUADRILLE_VERSION << "\n";
    return kExitOk;
  }
  if (args[0] == "help") {
    console.out << (args.size() == 1 ? general_help() : command_help(command_named(args[1])));
    return kExitOk;
  }
  return run_named(command_named(args[0]), args.subspan(1), console);
}

}  // namespace

int run_command(std::span<const std::string> args, Console& console) {
  try {
    const int code = dispatch(args, console);
    console.out.flush();
    if (!console.out) throw InputError("the output cannot be written");
    return code;
  } catch (const InputError& error) {
    console.err << "error: " << error.what() << "\n";
    return kExitBadInput;
  } catch (const std::bad_alloc&) {
    console.err << "error: there is not enough memory for this\n";
    return kExitBadInput;
  } catch (const std::system_error& error) {
    // No thread to be had, a stream that breaks off: nothing that we could have done better.
    console.err << fmt::format("error: the system refuses what this needs: {}\n", error.what());
    return kExitBadInput;
  } catch (const std::exception& error) {
    console.err << "internal error: " << error.what()
                << "\nThis is a bug in Quadrille. Please report it with the command line that shows it.\n";
    return kExitInternalError;
  }
}

std::vector<std::string> split_command_line(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (const char c : line) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        words.back() += c;
      }
      continue;
    }
    if (c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '"' || c == '\'') {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace quadrille
