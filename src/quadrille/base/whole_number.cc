#include "quadrille/base/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace quadrille {

std::string whole_number_error(const std::string& text) {
  uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last) return "";
  return fmt::format("'{}' is given; allowed is a whole number from 0 to {}", text, UINT64_MAX);
}

}  // namespace quadrille
