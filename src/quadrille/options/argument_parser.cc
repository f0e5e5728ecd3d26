#include "quadrille/options/argument_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {

// Puts a value that fits where it belongs.
struct Argument::Set {
  const std::string& value;
  const Argument& argument;

  void operator()(bool* target) const { *target = true; }
  void operator()(std::string* target) const { *target = value; }
  void operator()(uint32_t* target) const { *target = static_cast<uint32_t>(number()); }
  void operator()(uint64_t* target) const { *target = number(); }
  void operator()(std::optional<uint32_t>* target) const { *target = static_cast<uint32_t>(number()); }
  void operator()(std::vector<std::string>* target) const { target->push_back(value); }

 private:
  [[nodiscard]] uint64_t number() const {
    return !argument.word_.empty() && value == argument.word_ ? argument.word_value_
                                                              : whole_number(value).value_or(0);
  }
};

Argument::Argument(std::string_view names, ArgumentTarget target, std::string_view description)
    : target_(target), description_(description) {
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    names_.emplace_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  QUADRILLE_CHECK(!names_.empty(), description_);
}

Argument* Argument::type_name(std::string_view name) {
  type_name_ = name;
  return this;
}

Argument* Argument::group(std::string_view name) {
  group_ = name;
  return this;
}

Argument* Argument::required(bool value) {
  required_ = value;
  return this;
}

Argument* Argument::expected(size_t values) {
  expected_ = values;
  return this;
}

Argument* Argument::repeated() {
  expected_ = SIZE_MAX;
  return this;
}

Argument* Argument::excludes(const Argument* other) {
  excludes_.push_back(other);
  return this;
}

Argument* Argument::offers(std::string_view words) {
  offered_ = words;
  return this;
}

Argument* Argument::range(uint64_t least, uint64_t most) {
  least_ = least;
  most_ = most;
  return this;
}

Argument* Argument::word(std::string_view word, uint64_t stands_for) {
  word_ = word;
  word_value_ = stands_for;
  return this;
}

Argument* Argument::checked_by(void (*check)(std::string_view, std::string_view)) {
  check_ = check;
  return this;
}

bool Argument::is_called(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::string Argument::names() const { return join(names_, ","); }

std::string Argument::error_of(const std::string& value) const {
  const bool is_small =
      std::holds_alternative<uint32_t*>(target_) || std::holds_alternative<std::optional<uint32_t>*>(target_);
  if (is_small) return number_error(value, std::min<uint64_t>(most_, UINT32_MAX));
  if (std::holds_alternative<uint64_t*>(target_)) return number_error(value, most_);
  if (is_option() && value.empty()) {
    return fmt::format("'' is given; allowed is {}, or to leave the option out", type_name_);
  }
  return "";
}

std::string Argument::number_error(const std::string& value, uint64_t most) const {
  if (!word_.empty() && value == word_) return "";
  std::string error = whole_number_error(value, least_, most);
  if (word_.empty() || error.empty()) return error;
  return fmt::format("'{}' is given; allowed is {} or a whole number from {} to {}", value, word_, least_,
                     most);
}

// For programs: of a number its range, and the word that stands for one.
std::vector<std::string> Argument::allowed() const {
  if (std::holds_alternative<std::string*>(target_)) return {type_name_};
  std::vector<std::string> out;
  if (!word_.empty()) out.push_back(word_);
  const uint64_t most =
      std::holds_alternative<uint64_t*>(target_) ? most_ : std::min<uint64_t>(most_, UINT32_MAX);
  out.push_back(fmt::format("{} to {}", least_, most));
  return out;
}

void Argument::take(std::string value) {
  if (!is_flag() && values_.size() == expected_) {
    throw InputError(fmt::format("{} is given twice: '{}' and '{}'", names(), join(values_, " "), value));
  }
  if (const std::string error = is_flag() ? "" : error_of(value); !error.empty())
    throw ValueError(fmt::format("{}: {}", names(), error),
                     {.of = name(), .given = value, .allowed = allowed()});
  if (check_ != nullptr) check_(value, name());
  values_.push_back(std::move(value));
}

// When all words are read.
void Argument::finish() {
  count_ = is_flag() || expected_ == SIZE_MAX ? values_.size() : values_.size() / expected_;
  for (const std::string& value : values_) std::visit(Set{value, *this}, target_);
}

// Goes through the words.
class ArgumentParser::Reader {
 public:
  Reader(ArgumentParser& parser, std::span<const std::string> words) : parser_(parser), words_(words) {}

  // False if help is asked for.
  bool read() {
    while (!words_.empty()) {
      const std::string word = next();
      if (only_positional_ || !word.starts_with("-") || word == "-") {
        positional(word);
      } else if (word == "--") {
        only_positional_ = true;
      } else if (word == "--help" || word == "-h") {
        return false;
      } else {
        option(word);
      }
    }
    return true;
  }

 private:
  const std::string& next() {
    const std::string& word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  void positional(const std::string& word) {
    for (Argument& argument : parser_.arguments_) {
      if (argument.is_option() || argument.values_.size() == argument.expected_) continue;
      return argument.take(word);
    }
    throw InputError(parser_.unexpected(word));
  }

  void option(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const size_t name_end = is_long ? std::min(word.find('='), word.size()) : 2;
    Argument* argument = parser_.option_called(word.substr(0, name_end));
    if (argument == nullptr) throw InputError(parser_.unexpected(word));
    const bool has_value = name_end < word.size();
    if (argument->is_flag()) {
      if (has_value)
        throw InputError(fmt::format("{} takes no value; '{}' is given", argument->names(), word));
      return argument->take("");
    }
    size_t missing = argument->expected_ == SIZE_MAX ? 1 : argument->expected_;
    if (has_value) {
      argument->take(word.substr(name_end + (is_long ? 1 : 0)));
      --missing;
    }
    for (; missing > 0; --missing) {
      if (words_.empty() || is_name(words_.front())) fail_for_value(*argument, missing);
      argument->take(next());
    }
  }

  [[nodiscard]] bool is_name(const std::string& word) const {
    return word == "--help" || word == "-h" ||
           parser_.option_called(
               word.substr(0, word.starts_with("--") ? word.find('=') : std::string::npos)) != nullptr;
  }

  [[noreturn]] void fail_for_value(const Argument& argument, size_t missing) const {
    const std::string what = missing == 1 && (argument.expected_ == 1 || argument.expected_ == SIZE_MAX)
                                 ? "a value is missing"
                                 : plural(missing, "value") + (missing == 1 ? " is" : " are") + " missing";
    const std::string where = words_.empty() ? "" : fmt::format(" before {}", words_.front());
    throw InputError(fmt::format("{}: {}{}; it is written {} {}", argument.names(), what, where,
                                 argument.name(), argument.type_name_));
  }

  ArgumentParser& parser_;
  std::span<const std::string> words_;
  bool only_positional_ = false;
};

bool ArgumentParser::read(std::span<const std::string> words) {
  if (!Reader(*this, words).read()) return false;
  for (const Argument& argument : arguments_) {
    for (const Argument* other : argument.excludes_) {
      if (argument.values_.empty() || other->values_.empty()) continue;
      throw InputError(fmt::format("{} and {} do not go together", other->name(), argument.name()));
    }
  }
  require_all();
  for (Argument& argument : arguments_) argument.finish();
  return true;
}

void ArgumentParser::require_all() const {
  std::vector<std::string> missing;
  for (const Argument& argument : arguments_) {
    if (argument.required_ && argument.values_.empty()) missing.push_back(argument.name());
  }
  if (missing.empty()) return;
  throw InputError(fmt::format("{} {} missing: {}\n  {} --help shows the arguments", join(missing, " and "),
                               missing.size() == 1 ? "is" : "are", usage(), command_));
}

Argument* ArgumentParser::option_called(std::string_view name) {
  for (Argument& argument : arguments_) {
    if (argument.is_option() && argument.is_called(name)) return &argument;
  }
  return nullptr;
}

// A word that nobody asked for: an option that does not exist, or an argument too many.
std::string ArgumentParser::unexpected(const std::string& word) const {
  if (!word.starts_with("-")) return fmt::format("{} does not expect '{}'", command_, word);
  std::vector<std::string_view> known = {"--help"};
  for (const Argument& argument : arguments_) {
    if (argument.name().starts_with("--")) known.push_back(argument.name());
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string_view near = nearest_name(name, known);
  const std::string hint = near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
  return fmt::format("{} has no option {}{}", command_, name, hint);
}

size_t ArgumentParser::count(std::string_view name) const {
  for (const Argument& argument : arguments_) {
    if (argument.is_called(name)) return argument.count_;
  }
  QUADRILLE_CHECK(false, fmt::format("{} has no {}", command_, name));
  return 0;
}

void ArgumentParser::rename(std::string_view name, std::string_view new_name) {
  for (Argument& argument : arguments_) {
    if (argument.is_called(name)) return static_cast<void>(argument.names_ = {std::string(new_name)});
  }
  QUADRILLE_CHECK(false, fmt::format("{} has no {}", command_, name));
}

std::string ArgumentParser::usage() const {
  std::string out = command_;
  for (const Argument& argument : arguments_) {
    if (argument.is_option()) continue;
    out += argument.required_ ? " " + argument.name() : fmt::format(" [{}]", argument.name());
  }
  return out + " [options]";
}

std::vector<std::pair<std::string, std::string>> ArgumentParser::help_lines() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (auto at = arguments_.begin(); at != arguments_.end();) {
    const auto first = at++;
    std::string words = join(first->names_, ", ");
    if (!first->group_.empty()) {
      for (; at != arguments_.end() && at->group_ == first->group_; ++at) words += "/" + at->name();
    }
    if (first->is_option() && !first->is_flag()) words += " " + first->type_name_;
    out.emplace_back(std::move(words), first->description_);
  }
  return out;
}

}  // namespace quadrille
