#include <fmt/format.h>

#include <new>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <system_error>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/conventions/common_options.h"
#include "quadrille/cli/conventions/error_as_json.h"
#include "quadrille/cli/conventions/terminal_style.h"
#include "quadrille/cli/conventions/version.h"
#include "quadrille/options/argument_parser.h"

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
  throw ValueError(fmt::format("no command is called '{}'{}{} known commands: {}", name, hint,
                               hint.empty() ? ";" : "", join(names)),
                   {.of = "command", .given = name, .allowed = {names.begin(), names.end()}});
}

// Where --quiet sends what nobody wants to see.
class Nowhere final : public std::streambuf {
  int overflow(int c) override { return c == traits_type::eof() ? 0 : c; }
  std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
};

int run_named(const Command& command, std::span<const std::string> args, Console& console) {
  ArgumentParser app(fmt::format("quadrille {}", command.name));
  const CommandAction action = command.setup(app);
  const CommonOptions common = take_common_options(args, app);
  if (app.read(common.words)) {
    if (!common.quiet) return action(console);
    Nowhere nowhere;
    std::ostream unseen(&nowhere);
    Console quiet{console.in, common.for_programs ? console.out : unseen, unseen};
    return action(quiet);
  }
  console.out << command_help(command);
  return kExitOk;
}

int dispatch(std::span<const std::string> args, Console& console) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    console.out << general_help();
    return args.empty() ? kExitBadInput : kExitOk;
  }
  if (args[0] == "--version") {
    console.out << version_text() << "\n";
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
  const auto fail = [&](const std::string& message, int status,
                        const std::optional<RefusedValue>& value = std::nullopt) {
    if (asks_for_json(args)) {
      console.err << error_as_json(message, status, args, value);
    } else {
      console.err << error_word() << message << "\n";
    }
    return status;
  };
  try {
    const int code = dispatch(args, console);
    console.out.flush();
    if (!console.out) throw InputError("the output cannot be written");
    return code;
  } catch (const ValueError& error) {
    if (error.value().of.empty()) return fail(error.what(), kExitBadInput);
    return fail(error.what(), kExitBadInput, error.value());
  } catch (const InputError& error) {
    return fail(error.what(), kExitBadInput);
  } catch (const std::bad_alloc& refused) {
    return fail(out_of_memory_text(refused), kExitBadInput);
  } catch (const std::system_error& error) {
    // No thread to be had, a stream that breaks off: nothing that we could have done better.
    return fail(fmt::format("the system refuses what this needs: {}", error.what()), kExitBadInput);
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
