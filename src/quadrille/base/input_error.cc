#include "quadrille/base/input_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {
namespace {

// Widest excerpt of a line that an error shows; a plan file may be one line of a gigabyte.
constexpr size_t kExcerpt = 100;

std::string printable(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

}  // namespace

InputError input_error_at(std::string_view source, std::string_view text, size_t offset, size_t length,
                          std::string_view message) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const size_t last_break = before.rfind('\n');
  const size_t line_start = last_break == std::string_view::npos ? 0 : last_break + 1;
  const size_t line_end = std::min(text.find('\n', offset), text.size());
  const size_t column = offset - line_start;

  const size_t from = column <= kExcerpt / 2 ? line_start : offset - kExcerpt / 2;
  const size_t to = std::min(line_end, from + kExcerpt);
  const size_t marks = std::clamp<size_t>(std::min(length, to - std::min(to, offset)), 1, kExcerpt);
  return InputError(fmt::format("{}:{}:{}: {}\n  {}\n  {}^{}", source, line, column + 1, message,
                                printable(text.substr(from, to - from)), std::string(offset - from, ' '),
                                std::string(marks - 1, '~')));
}

}  // namespace quadrille
