// Small services on text that several floors need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

/// Of ASCII, whatever the locale says. A letter or underscore begins a name.
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What stands between words: blanks, tabs and ends of lines, and what old files have instead.
inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

/// Without the blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// What stands between blanks.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

/// The candidate that is nearest to `given` (edit distance at most a third of its length), or "" if none is
/// near: for "did you mean" hints.
[[nodiscard]] std::string_view nearest_name(std::string_view given,
                                            std::span<const std::string_view> candidates);

/// "a, b, c".
[[nodiscard]] std::string join(std::span<const std::string_view> items, std::string_view separator = ", ");
[[nodiscard]] std::string join(std::span<const std::string> items, std::string_view separator = ", ");

/// 16777216 -> "16,777,216".
[[nodiscard]] std::string with_thousands(uint64_t value);

/// "1 step", "2,000 steps".
[[nodiscard]] std::string plural(uint64_t count, std::string_view noun);

}  // namespace quadrille
