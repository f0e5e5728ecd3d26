#include "quadrille/cli/conventions/error_as_json.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "quadrille/base/json/json.h"
#include "quadrille/options/error_fields.h"

namespace quadrille {
namespace {

// What the words of a command line give for an option.
std::optional<std::string> given_in(std::span<const std::string> words, std::string_view name,
                                    std::string_view short_name) {
  if (!name.starts_with("--")) return {};
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.starts_with(name) && word.substr(name.size()).starts_with("="))
      return word.substr(name.size() + 1);
    if (word == name || word == short_name) return i + 1 < words.size() ? words[i + 1] : "";
  }
  return {};
}

// "switching" is what --switching asks for.
std::string argument_of(const RefusedValue& value, std::span<const std::string> words) {
  std::string option = "--" + value.of;
  const bool is_option = std::ranges::any_of(
      words, [&](const std::string& word) { return word == option || word.starts_with(option + "="); });
  return is_option ? option : value.of;
}

}  // namespace

std::string error_as_json(const std::string& message, int status, std::span<const std::string> words,
                          const std::optional<RefusedValue>& value) {
  const ErrorFields fields = error_fields(
      message, value,
      [&](std::string_view name, std::string_view short_name) { return given_in(words, name, short_name); });
  Json out = Json::object();
  out.set("error", fields.sentence);
  if (fields.place)
    out.set("source", fields.place->source)
        .set("line", fields.place->line)
        .set("column", fields.place->column);
  if (!fields.excerpt.empty()) out.set("excerpt", fields.excerpt);
  if (fields.refused) {
    out.set("argument", argument_of(*fields.refused, words)).set("given", fields.refused->given);
    Json allowed = Json::array();
    for (const std::string& word : fields.refused->allowed) allowed.push(word);
    if (!fields.refused->allowed.empty()) out.set("allowed", std::move(allowed));
  }
  return out.set("status", status).text();
}

}  // namespace quadrille
