#include "quadrille/base/json/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace quadrille {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct Bytes {
  uint8_t least;
  uint8_t most;
};

// How a character that starts with `lead` goes on: so many bytes more, the first of them in `second`, the
// others any that continue a character. (A narrower second byte keeps out what has a shorter form, the
// halves of UTF-16, and what lies beyond U+10FFFF.)
struct Continuation {
  size_t more = 0;
  Bytes second{0x80, 0xbf};
};

Continuation continuation_of(uint8_t lead) {
  if (lead < 0xc2 || lead > 0xf4) return {};
  if (lead < 0xe0) return {1};
  if (lead == 0xe0) return {2, {0xa0, 0xbf}};
  if (lead == 0xed) return {2, {0x80, 0x9f}};
  if (lead < 0xf0) return {2};
  if (lead == 0xf0) return {3, {0x90, 0xbf}};
  if (lead == 0xf4) return {3, {0x80, 0x8f}};
  return {3};
}

bool is_in(Bytes range, char c) {
  const auto byte = static_cast<uint8_t>(c);
  return range.least <= byte && byte <= range.most;
}

// A character of several bytes at the front of the text, or what stands for a broken one. Returns how many
// bytes that was.
size_t append_long_character(std::string& out, std::string_view text) {
  const Continuation next = continuation_of(static_cast<uint8_t>(text[0]));
  size_t good = 1;
  while (good <= next.more && good < text.size() &&
         is_in(good == 1 ? next.second : Bytes{0x80, 0xbf}, text[good])) {
    ++good;
  }
  const bool whole = next.more > 0 && good == next.more + 1;
  out += whole ? text.substr(0, good) : kReplacement;
  return good;
}

void append_control(std::string& out, char c) {
  constexpr std::string_view kShort = "\b\t\n\f\r";
  constexpr std::string_view kLetters = "btnfr";
  constexpr std::string_view kDigits = "0123456789abcdef";
  const size_t known = kShort.find(c);
  if (known != std::string_view::npos) {
    out += '\\';
    out += kLetters[known];
    return;
  }
  out += "\\u00";
  out += kDigits[static_cast<uint8_t>(c) >> 4U];
  out += kDigits[static_cast<uint8_t>(c) & 15U];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char c = text[0];
    size_t taken = 1;
    if (static_cast<uint8_t>(c) >= 0x80) {
      taken = append_long_character(out, text);
    } else if (static_cast<uint8_t>(c) < ' ') {
      append_control(out, c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    text.remove_prefix(taken);
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  if (text.starts_with('-')) {
    out += '-';
    text.remove_prefix(1);
  }
  // "1.25e+03": the digits without their point, and where it belongs.
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  const int point = std::atoi(std::string(text.substr(e + 1)).c_str()) + 1;
  const auto size = static_cast<int>(digits.size());
  constexpr int kMostBefore = 15;  // digits before the point, and noughts after it, before an exponent is
  constexpr int kMostNoughts = 4;  // easier to read
  if (0 < point && point <= kMostBefore) {
    if (size <= point) {
      out += digits + std::string(static_cast<size_t>(point - size), '0') + ".0";
    } else {
      out += digits.insert(static_cast<size_t>(point), ".");
    }
  } else if (-kMostNoughts < point && point <= 0) {
    out += "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  } else {
    if (size > 1) digits.insert(1, ".");
    out += digits;
    out += text.substr(e);
  }
}

}  // namespace quadrille
