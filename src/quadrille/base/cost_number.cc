#include "quadrille/base/cost_number.h"

#include <fmt/format.h>

#include <charconv>

namespace quadrille {

// Comparisons with what is not a number are false.
bool is_cost(double value) { return value >= 0 && value <= kMostCost; }

std::optional<double> cost_of(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !is_cost(value)) return std::nullopt;
  return value;
}

std::string cost_error(const std::string& text) {
  if (cost_of(text)) return "";
  return fmt::format("'{}' is given; allowed is a number from 0 to {}", text, kMostCost);
}

}  // namespace quadrille
