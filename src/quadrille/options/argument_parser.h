// ArgumentParser: what may follow a command, as data; read from the words of a command line, shown by --help.
//
//     ArgumentParser app("quadrille plan");
//     std::string output;
//     app.add_option("-o,--output", output, "write the plan: FILE.plan or FILE.json")->type_name("FILE");
//     if (!app.read(words)) { ... }              // false: --help was asked for
//     if (app.count("--output") > 0) { ... }
//
// A name without dashes is a positional argument. Words are read as everywhere: --name VALUE, --name=VALUE,
// -n VALUE, -nVALUE; after -- all are positional. A value is the next word, whatever it is, unless that is the
// name of an option. Every mistake has one message, which names the option, what was given, and what is
// allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace quadrille {

/// Where a value goes. A bool is a flag, all others take a value.
using ArgumentTarget = std::variant<bool*, std::string*, uint32_t*, uint64_t*, std::optional<uint32_t>*,
                                    std::vector<std::string>*>;

/// One argument. What is said of it returns it, so that more can be said.
class Argument {
 public:
  /// Names are separated by commas: "-o,--output"; without dashes: a positional argument.
  Argument(std::string_view names, ArgumentTarget target, std::string_view description);

  /// What --help calls the value.
  Argument* type_name(std::string_view name);
  /// Neighbours of one group share a line of the help.
  Argument* group(std::string_view name);
  [[nodiscard]] const std::string& group() const { return group_; }
  /// Of a whole number; without it, whatever fits the target.
  Argument* range(uint64_t least, uint64_t most = UINT64_MAX);
  /// A word that stands for a whole number: "auto" for 0.
  Argument* word(std::string_view word, uint64_t stands_for);
  /// Looks at each value of a text as it is read; throws InputError, with the name of the option that it is given.
  Argument* checked_by(void (*check)(std::string_view value, std::string_view name));
  Argument* required(bool value = true);
  /// So many values, not one.
  Argument* expected(size_t values);
  /// Any number of values, at least one if it is required: "TOPOLOGY..."; an option has one each time it is given.
  Argument* repeated();
  Argument* excludes(const Argument* other);
  /// What a shell may offer for the value: words with blanks between, or one of @algorithms, @collectives, @topologies,
  /// @machines, @exporters, @files. Other values may be right, too: who reads them says so.
  Argument* offers(std::string_view words);

  /// The longest name with its dashes: "--output"; of a positional argument the name.
  [[nodiscard]] const std::string& name() const { return names_.back(); }
  [[nodiscard]] bool is_option() const { return name().starts_with("-"); }
  [[nodiscard]] bool is_flag() const { return std::holds_alternative<bool*>(target_); }
  /// All names, short ones first.
  [[nodiscard]] const std::vector<std::string>& all_names() const { return names_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] const std::string& value_name() const { return type_name_; }
  [[nodiscard]] const std::string& offered() const { return offered_; }
  /// How often it was given.
  [[nodiscard]] size_t count() const { return count_; }

 private:
  friend class ArgumentParser;
  struct Set;

  [[nodiscard]] bool is_called(std::string_view name) const;
  /// "-o,--output".
  [[nodiscard]] std::string names() const;
  [[nodiscard]] std::string error_of(const std::string& value) const;
  [[nodiscard]] std::string number_error(const std::string& value, uint64_t most) const;
  [[nodiscard]] std::vector<std::string> allowed() const;
  void take(std::string value);
  void finish();

  std::vector<std::string> names_;  // short ones first
  ArgumentTarget target_;
  std::string description_;
  std::string type_name_ = "TEXT";
  std::string group_{};
  std::string offered_{};
  uint64_t least_ = 0;
  uint64_t most_ = UINT64_MAX;  // and what fits the target
  std::string word_{};
  uint64_t word_value_ = 0;
  void (*check_)(std::string_view, std::string_view) = nullptr;
  bool required_ = false;
  size_t expected_ = 1;
  std::vector<const Argument*> excludes_{};
  std::vector<std::string> values_{};  // as they were given
  size_t count_ = 0;
};

class ArgumentParser {
 public:
  /// `command` is how errors call it: "quadrille plan".
  explicit ArgumentParser(std::string command) : command_(std::move(command)) {}

  /// The target must live until read() returns; pointers to arguments are good as long as the parser.
  Argument* add_option(std::string_view names, ArgumentTarget target, std::string_view description) {
    return &arguments_.emplace_back(names, target, description);
  }
  template <typename Target>
  Argument* add_option(std::string_view names, Target& target, std::string_view description) {
    return add_option(names, ArgumentTarget(&target), description);
  }
  Argument* add_flag(std::string_view names, bool& target, std::string_view description) {
    return add_option(names, ArgumentTarget(&target), description);
  }

  /// Gives an option of a group that several commands share another name, where a command has one of that name itself.
  void rename(std::string_view name, std::string_view new_name);

  /// Sets the targets of what is given, and counts. False if --help is among the words. Throws InputError for
  /// words that nobody asked for, with the nearest option; for an option that is given twice; for values that
  /// are missing or do not fit; and for an option whose value is empty, which would count as left out without
  /// a word.
  [[nodiscard]] bool read(std::span<const std::string> words);

  [[nodiscard]] const std::deque<Argument>& arguments() const { return arguments_; }
  /// How often the argument of that name was given.
  [[nodiscard]] size_t count(std::string_view name) const;

  /// "quadrille plan [COLLECTIVE] [TOPOLOGY] [options]".
  [[nodiscard]] std::string usage() const;
  /// "-o, --output FILE" and what it does, one for each line of the help.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> help_lines() const;

 private:
  class Reader;

  [[nodiscard]] Argument* option_called(std::string_view name);
  [[nodiscard]] std::string unexpected(const std::string& word) const;
  void require_all() const;

  std::string command_;
  std::deque<Argument> arguments_{};
};

}  // namespace quadrille
