// The only file that includes CLI11.
#include "quadrille/options/argument_parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

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

// Declares an argument to CLI11.
struct Declare {
  CLI::App& app;
  const std::string& names;

  CLI::Option* operator()(bool* target) const { return app.add_flag(names, *target); }
  template <typename Target>
  CLI::Option* operator()(Target* target) const {
    return app.add_option(names, *target);
  }
};

}  // namespace

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

Argument* Argument::check(Check error) {
  check_ = error;
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

Argument* Argument::excludes(const Argument* other) {
  excludes_.push_back(other);
  return this;
}

bool ArgumentParser::read(std::span<const std::string> words) {
  CLI::App app;
  std::map<const Argument*, CLI::Option*> declared;
  for (const Argument& argument : arguments_) {
    const std::string names = join(argument.names_, ",");
    CLI::Option* option = std::visit(Declare{app, names}, argument.target_);
    declared[&argument] = option;
    option->required(argument.required_);
    if (argument.check_ != nullptr) option->check(argument.check_);
    if (argument.expected_ != 1) option->expected(static_cast<int>(argument.expected_));
  }
  for (const Argument& argument : arguments_) {
    for (const Argument* other : argument.excludes_) declared.at(&argument)->excludes(declared.at(other));
  }

  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ExtrasError&) {
    throw InputError(unexpected(app.remaining().front()));
  } catch (const CLI::ConversionError& error) {
    throw InputError(conversion_words(error.what()));
  } catch (const CLI::ValidationError& error) {
    throw InputError(error.what());  // names the option, what was given, and what is allowed
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{}\n  {} --help shows the arguments", error.what(), command_));
  }

  for (Argument& argument : arguments_) {
    const CLI::Option& option = *declared.at(&argument);
    argument.count_ = option.count();
    const std::vector<std::string>& values = option.results();
    if (!argument.is_option() || std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw InputError(fmt::format("{}: '' is given; allowed is {}, or to leave the option out",
                                 join(argument.names_, ","), argument.type_name_));
  }
  return true;
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
    const std::vector<std::string>& names = argument.names_;
    if (std::find(names.begin(), names.end(), name) != names.end()) return argument.count_;
  }
  QUADRILLE_CHECK(false, fmt::format("{} has no {}", command_, name));
  return 0;
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
