#include "quadrille/base/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace quadrille {

namespace {

std::string error_below(const std::string& text, uint64_t least) {
  uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last && value >= least) return "";
  return fmt::format("'{}' is given; allowed is a whole number from {} to {}", text, least, UINT64_MAX);
}

}  // namespace

std::string whole_number_error(const std::string& text) { return error_below(text, 0); }
std::string positive_number_error(const std::string& text) { return error_below(text, 1); }

}  // namespace quadrille
