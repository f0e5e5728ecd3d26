#include "quadrille/base/numbers/whole_number.h"

#include <fmt/format.h>

#include <charconv>

namespace quadrille {

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

std::string whole_number_error(std::string_view text, uint64_t least, uint64_t most) {
  const std::optional<uint64_t> value = whole_number(text);
  if (value && least <= *value && *value <= most) return "";
  return fmt::format("'{}' is given; allowed is a whole number from {} to {}", text, least, most);
}

}  // namespace quadrille
