// What every command line may say, whatever the command: --format for the form of what is printed, --quiet to print
// nothing but errors.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quadrille/options/argument_parser.h"

namespace quadrille {

struct CommonOptions {
  std::vector<std::string> words;  ///< the others, --format as the option of the command that it stands for
  bool quiet = false;
  /// Something is asked for that a program reads: --json, --csv, --names, or a file that is "-".
  bool for_programs = false;
};

/// Takes them out of the words that follow a command's name. Throws InputError for a form that the command, whose
/// arguments `app` has, does not print: "table" is there always, "json", "csv" and "names" where it has such an option.
[[nodiscard]] CommonOptions take_common_options(std::span<const std::string> words,
                                                const ArgumentParser& app);

/// Whether errors are for a program: --json or --format json is among the words of a command line.
[[nodiscard]] bool asks_for_json(std::span<const std::string> words);

}  // namespace quadrille
