// What shells offer while a command line is typed: scripts made from the same cards as the help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

/// What may stand for a value: words that never change, lists that the program prints when asked (`quadrille list
/// LIST --names`), files.
struct ShellOffer {
  std::vector<std::string> words{};
  std::vector<std::string> lists{};
  bool files = false;
};

struct OfferedOption {
  std::vector<std::string> names{};  ///< "-o", "--output"
  std::string description{};
  std::string value_name{};  ///< empty: a flag
  ShellOffer value{};
};

struct OfferedCommand {
  std::string name{};
  std::string summary{};
  std::vector<OfferedOption> options{};
  ShellOffer arguments{};  ///< of the words that are no options
};

/// Every command, with the options that all of them take.
[[nodiscard]] std::vector<OfferedCommand> offered_commands();

/// Scripts that define the completion of `quadrille` for a shell.
[[nodiscard]] std::string bash_completion(const std::vector<OfferedCommand>& commands);
[[nodiscard]] std::string zsh_completion(const std::vector<OfferedCommand>& commands);
[[nodiscard]] std::string fish_completion(const std::vector<OfferedCommand>& commands);

}  // namespace quadrille
