#include "quadrille/base/json/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

constexpr uint32_t kHighSurrogate = 0xd800;
constexpr uint32_t kLowSurrogate = 0xdc00;
constexpr uint32_t kBehindSurrogates = 0xe000;
constexpr uint32_t kBehindUnits = 0x10000;

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0U | code >> 6U);
    put(0x80U | (code & 0x3fU));
  } else if (code < kBehindUnits) {
    put(0xe0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3fU));
    put(0x80U | (code & 0x3fU));
  } else {
    put(0xf0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3fU));
    put(0x80U | (code >> 6U & 0x3fU));
    put(0x80U | (code & 0x3fU));
  }
}

}  // namespace

void JsonCursor::fail(std::string_view message) const {
  throw input_error_at(source_, text_, value_, std::max<size_t>(at_ - value_, 1), message);
}

void JsonCursor::fail_here(std::string_view message) const {
  throw input_error_at(source_, text_, std::min(at_, text_.size()), 1, message);
}

void JsonCursor::skip_blanks() {
  while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
}

bool JsonCursor::take(char c) {
  skip_blanks();
  if (next() != c || at_ == text_.size()) return false;
  ++at_;
  return true;
}

void JsonCursor::expect(char c, std::string_view what) {
  skip_blanks();
  if (!take(c)) fail_here(fmt::format("{}: '{}' is missing here", what, c));
}

uint32_t JsonCursor::object(std::string_view what, std::span<const std::string_view> keys, size_t required,
                            const std::function<void(size_t)>& member) {
  QUADRILLE_CHECK(keys.size() < 32, std::string(what));
  skip_blanks();
  const size_t begin = at_;
  if (!take('{')) fail_here(fmt::format("{} is an object: '{{' is missing here", what));
  uint32_t seen = 0;
  for (bool first = true; !take('}'); first = false) {
    if (!first) expect(',', what);
    const size_t key = word(fmt::format("{}: a key", what), keys);
    if ((seen >> key & 1U) != 0) fail(fmt::format("{}: '{}' comes twice", what, keys[key]));
    seen |= 1U << key;
    expect(':', what);
    member(key);
  }
  value_ = begin;
  for (size_t key = 0; key < required; ++key) {
    if ((seen >> key & 1U) == 0)
      throw input_error_at(source_, text_, begin, 1, fmt::format("{}: '{}' is missing", what, keys[key]));
  }
  return seen;
}

void JsonCursor::array(std::string_view what, const std::function<void()>& element) {
  skip_blanks();
  const size_t begin = at_;
  if (!take('[')) fail_here(fmt::format("{} is a list: '[' is missing here", what));
  for (bool first = true; !take(']'); first = false) {
    if (!first) expect(',', what);
    element();
  }
  value_ = begin;
}

uint32_t JsonCursor::number(std::string_view what) {
  skip_blanks();
  value_ = at_;
  uint64_t out = 0;
  while (is_digit(next()) && out <= UINT32_MAX) out = out * 10 + static_cast<uint64_t>(text_[at_++] - '0');
  const bool leads_with_zero = at_ > value_ + 1 && text_[value_] == '0';
  if (at_ == value_ || out > UINT32_MAX || leads_with_zero ||
      std::string_view(".eE+-").find(next()) != std::string_view::npos) {
    while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
      ++at_;
    fail(fmt::format("{} is a whole number from 0 to {}", what, UINT32_MAX));
  }
  return static_cast<uint32_t>(out);
}

bool JsonCursor::boolean(std::string_view what) {
  skip_blanks();
  value_ = at_;
  for (const std::string_view text : {std::string_view("true"), std::string_view("false")}) {
    if (!text_.substr(at_).starts_with(text)) continue;
    at_ += text.size();
    return text == "true";
  }
  fail_here(fmt::format("{} is true or false", what));
}

uint32_t JsonCursor::code_unit() {
  uint32_t out = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = next();
    const size_t digit =
        std::string_view("0123456789abcdef").find(static_cast<char>(c | ('A' <= c && c <= 'F' ? 32 : 0)));
    if (at_ >= text_.size() || digit == std::string_view::npos)
      fail_here("four hexadecimal digits follow \\u");
    out = out << 4U | static_cast<uint32_t>(digit);
  }
  return out;
}

// Behind the backslash.
void JsonCursor::append_escape(std::string& out) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kCharacters = "\"\\/\b\f\n\r\t";
  const size_t which = at_ < text_.size() ? kEscapes.find(text_[at_]) : std::string_view::npos;
  if (which != std::string_view::npos) {
    ++at_;
    return out.push_back(kCharacters[which]);
  }
  if (next() != 'u') fail_here("no escape begins with this character");
  ++at_;
  uint32_t code = code_unit();
  if (code >= kHighSurrogate && code < kLowSurrogate && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const uint32_t low = code_unit();
    if (low < kLowSurrogate || low >= kBehindSurrogates) fail_here("half of a character's code is missing");
    code = kBehindUnits + ((code - kHighSurrogate) << 10U) + (low - kLowSurrogate);
  } else if (code >= kHighSurrogate && code < kBehindSurrogates) {
    fail_here("half of a character's code is missing");
  }
  append_utf8(out, code);
}

std::string JsonCursor::string(std::string_view what) {
  skip_blanks();
  const size_t begin = at_;
  if (!take('"')) fail_here(fmt::format("{} is a text in quotes", what));
  std::string out;
  while (next() != '"') {
    if (at_ >= text_.size()) fail_here(fmt::format("{}: its quote is not closed", what));
    const char c = text_[at_++];
    if (static_cast<unsigned char>(c) < 0x20) {
      --at_;
      fail_here(fmt::format("{}: a character that must be written as an escape", what));
    }
    if (c == '\\')
      append_escape(out);
    else
      out.push_back(c);
  }
  ++at_;
  value_ = begin;
  return out;
}

size_t JsonCursor::word(std::string_view what, std::span<const std::string_view> words) {
  const std::string text = string(what);
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) fail(fmt::format("{} cannot be '{}'; allowed are {}", what, text, join(words)));
  return static_cast<size_t>(found - words.begin());
}

void JsonCursor::end() {
  skip_blanks();
  if (at_ < text_.size()) fail_here("nothing may follow here");
}

}  // namespace quadrille
