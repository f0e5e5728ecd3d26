#include "quadrille/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quadrille {
namespace {

// Letters put in, left out, replaced, and neighbours exchanged, each counted as one (optimal string
// alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> two_ago(b.size() + 1);
  std::vector<size_t> ago(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    two_ago.swap(ago);
    ago.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = ago[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, ago[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_ago[j - 2] + 1);
      }
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view given, std::span<const std::string_view> candidates) {
  std::string_view best;
  // What goes on where the given one ends is meant rather than what differs in a letter.
  for (const std::string_view candidate : candidates) {
    const bool goes_on = candidate.size() > given.size() && candidate.starts_with(given) &&
                         (candidate[given.size()] == '-' || candidate[given.size()] == '_');
    if (goes_on && !given.empty() && (best.empty() || candidate.size() < best.size())) best = candidate;
  }
  if (!best.empty()) return best;
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

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  // Always a part of the text: errors point at it.
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return out;
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

std::string plural(uint64_t count, std::string_view noun) {
  return with_thousands(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace quadrille
