#include "quadrille/cli/conventions/common_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

constexpr std::array<std::string_view, 3> kForms = {"json", "csv", "names"};

bool has_option(const ArgumentParser& app, std::string_view name) {
  return std::ranges::any_of(app.arguments(),
                             [&](const Argument& argument) { return argument.name() == name; });
}

std::string option_for(std::string_view form) { return fmt::format("--{}", form); }

// Of --format FORM; nothing for a table, which needs no option.
std::string option_of_form(const std::string& form, const ArgumentParser& app) {
  if (form == "table") return "";
  std::vector<std::string> known = {"table"};
  for (const std::string_view name : kForms) {
    if (!has_option(app, option_for(name))) continue;
    if (form == name) return option_for(name);
    known.emplace_back(name);
  }
  throw ValueError(fmt::format("--format: '{}' is given; {} here", form,
                               known.size() == 1 ? "there is only table" : "allowed are " + join(known)),
                   {.of = "--format", .given = form, .allowed = known});
}

bool is_for_programs(const std::string& word) {
  return word == "-" ||
         std::ranges::any_of(kForms, [&](std::string_view form) { return word == option_for(form); });
}

}  // namespace

CommonOptions take_common_options(std::span<const std::string> words, const ArgumentParser& app) {
  CommonOptions out;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      out.words.insert(out.words.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    if (word == "--quiet") {
      out.quiet = true;
      continue;
    }
    std::string kept = word;
    if (word == "--format") {
      if (++i == words.size()) throw InputError("--format: a value is missing; it is written --format table");
      kept = option_of_form(words[i], app);
    } else if (word.starts_with("--format=")) {
      kept = option_of_form(word.substr(word.find('=') + 1), app);
    }
    if (kept.empty() && !word.empty()) continue;
    out.for_programs = out.for_programs || is_for_programs(kept);
    out.words.push_back(std::move(kept));
  }
  return out;
}

bool asks_for_json(std::span<const std::string> words) {
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == "--json" || words[i] == "--format=json") return true;
    if (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json") return true;
  }
  return false;
}

}  // namespace quadrille
