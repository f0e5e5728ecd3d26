#include "quadrille/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quadrille {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view given, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t best_distance = given.size() / 3 + 1;
  for (const std::string_view candidate : candidates) {
    const size_t distance = edit_distance(given, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string join(std::span<const std::string_view> items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string join(std::span<const std::string> items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string with_thousands(uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace quadrille
