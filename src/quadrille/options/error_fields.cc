#include "quadrille/options/error_fields.h"

#include <algorithm>

#include "quadrille/base/numbers/whole_number.h"

namespace quadrille {
namespace {

struct PlacedMessage {
  ErrorFields::Place place;
  std::string_view message;
};

// As input_error_at() writes it: SOURCE:LINE:COLUMN: MESSAGE; a source may have colons of its own.
std::optional<PlacedMessage> place_in(std::string_view first) {
  for (size_t colon = first.find(':'); colon != std::string_view::npos; colon = first.find(':', colon + 1)) {
    const size_t second = first.find(':', colon + 1);
    const size_t third = second == std::string_view::npos ? second : first.find(": ", second + 1);
    if (third == std::string_view::npos) break;
    const auto line = whole_number(first.substr(colon + 1, second - colon - 1));
    const auto column = whole_number(first.substr(second + 1, third - second - 1));
    if (line && column)
      return PlacedMessage{{std::string(first.substr(0, colon)), *line, *column}, first.substr(third + 2)};
  }
  return {};
}

// The option that a message begins with, "-o,--output: ...", "--sync is ..." or "--root 1: ...", and its value.
std::optional<RefusedValue> option_in(std::string_view message, const GivenFor& given) {
  const size_t end = std::min(message.find(": "), message.find(" is "));
  if (end == std::string_view::npos) return {};
  const std::string_view head = message.substr(0, end);
  const std::string_view names = head.substr(0, head.find(' '));
  const std::string_view name = names.substr(names.rfind(',') + 1);
  if (!name.starts_with("--")) return {};
  std::optional<std::string> value = given(name, names.substr(0, names.find(',')));
  // What stands behind the name is the value, or the sentence is about more than this option.
  if (!value || (head.size() > names.size() && head.substr(names.size() + 1) != *value)) return {};
  return RefusedValue{.of = std::string(name), .given = std::move(*value)};
}

// The argument whose text a message points into.
std::optional<RefusedValue> text_in(const std::string& source, const GivenFor& given) {
  std::optional<std::string> value = given(source, source);
  if (!value) return {};
  return RefusedValue{.of = source, .given = std::move(*value)};
}

}  // namespace

ErrorFields error_fields(const std::string& message, const std::optional<RefusedValue>& value,
                         const GivenFor& given) {
  ErrorFields out;
  const size_t end = std::min(message.find('\n'), message.size());
  const std::string_view first = std::string_view(message).substr(0, end);
  const std::string_view rest = std::string_view(message).substr(std::min(end + 1, message.size()));
  if (const std::optional<PlacedMessage> placed = place_in(first)) {
    out.sentence = placed->message;
    out.place = placed->place;
    out.excerpt = rest;
  } else {
    // Lines that are no excerpt belong to the sentence.
    const bool is_excerpt = rest.ends_with('^') || rest.ends_with('~');
    out.sentence = is_excerpt ? std::string(first) : message;
    if (is_excerpt) out.excerpt = rest;
  }
  out.refused = value ? value : !out.place ? option_in(message, given) : text_in(out.place->source, given);
  return out;
}

}  // namespace quadrille
