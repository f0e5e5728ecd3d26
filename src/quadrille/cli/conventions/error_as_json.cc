#include "quadrille/cli/conventions/error_as_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "quadrille/base/json/json.h"
#include "quadrille/base/numbers/whole_number.h"

namespace quadrille {
namespace {

// A place in a text, as input_error_at() writes it: SOURCE:LINE:COLUMN: MESSAGE; a source may have colons of its own.
struct Place {
  std::string_view source;
  uint64_t line;
  uint64_t column;
  std::string_view message;
};

std::optional<Place> place_in(std::string_view first) {
  for (size_t colon = first.find(':'); colon != std::string_view::npos; colon = first.find(':', colon + 1)) {
    const size_t second = first.find(':', colon + 1);
    const size_t third = second == std::string_view::npos ? second : first.find(": ", second + 1);
    if (third == std::string_view::npos) break;
    const auto line = whole_number(first.substr(colon + 1, second - colon - 1));
    const auto column = whole_number(first.substr(second + 1, third - second - 1));
    if (line && column) return Place{first.substr(0, colon), *line, *column, first.substr(third + 2)};
  }
  return {};
}

// The option that a message begins with, "-o,--output: ..." or "--sync is ...", and its value among the words.
std::optional<RefusedValue> option_in(std::string_view message, std::span<const std::string> words) {
  const size_t end = std::min(message.find(": "), message.find(" is "));
  if (end == std::string_view::npos) return {};
  const std::string_view names = message.substr(0, end);
  const std::string_view name = names.substr(names.rfind(',') + 1);
  if (!name.starts_with("--") || name.find(' ') != std::string_view::npos) return {};
  const std::string_view short_name = names.substr(0, names.find(','));
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.starts_with(name) && word.substr(name.size()).starts_with("="))
      return RefusedValue{.of = std::string(name), .given = word.substr(name.size() + 1)};
    if (word == name || word == short_name)
      return RefusedValue{.of = std::string(name), .given = i + 1 < words.size() ? words[i + 1] : ""};
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
  Json out = Json::object();
  const size_t end = std::min(message.find('\n'), message.size());
  const std::string_view first = std::string_view(message).substr(0, end);
  const std::string_view rest = std::string_view(message).substr(std::min(end + 1, message.size()));
  const std::optional<Place> place = place_in(first);
  if (place) {
    out.set("error", std::string(place->message))
        .set("source", std::string(place->source))
        .set("line", place->line)
        .set("column", place->column);
  } else {
    // Lines that are no excerpt belong to the sentence.
    const bool is_excerpt = rest.ends_with('^') || rest.ends_with('~');
    out.set("error", is_excerpt ? std::string(first) : message);
    if (is_excerpt) out.set("excerpt", std::string(rest));
  }
  if (place && !rest.empty()) out.set("excerpt", std::string(rest));
  if (const std::optional<RefusedValue> refused = value ? value : option_in(message, words)) {
    out.set("argument", argument_of(*refused, words)).set("given", refused->given);
    Json allowed = Json::array();
    for (const std::string& word : refused->allowed) allowed.push(word);
    if (!refused->allowed.empty()) out.set("allowed", std::move(allowed));
  }
  return out.set("status", status).text();
}

}  // namespace quadrille
