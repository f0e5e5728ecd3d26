#include "quadrille/base/numbers/cost_number.h"

#include <fmt/format.h>

#include <charconv>

#include "quadrille/base/input_error.h"

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

void require_microseconds(std::string_view unit) {
  if (unit == kMicroseconds) return;
  throw InputError(fmt::format("unknown unit of time '{}'; allowed is us, or to leave it out", unit));
}

}  // namespace quadrille
