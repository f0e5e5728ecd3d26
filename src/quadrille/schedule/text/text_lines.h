// The text form of a plan, taken apart into lines, words and numbers; a mistake is shown where it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"

namespace quadrille::plan_text {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "name=value", and what a reader of the kind `Reader` does with the value. Throws InputError without a place.
template <typename Reader>
struct Setting {
  std::string_view name;
  void (*set)(Reader& reader, std::string_view value);
};

/// A walk through the lines that have more than blanks and a comment.
class TextLines {
 public:
  TextLines(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  [[noreturn]] void fail(size_t offset, size_t length, std::string_view message) const;
  /// The mistake is all that follows in its line, up to a comment or one of `also`.
  [[noreturn]] void fail_to_end_of_line(size_t offset, std::string_view message,
                                        std::string_view also = {}) const;
  /// Says where a mistake is that is found by someone who knows nothing of this text.
  template <typename Act>
  void at(size_t offset, size_t length, Act act) const {
    try {
      act();
    } catch (const InputError& error) {
      fail(offset, length, error.what());
    }
  }

  bool next_line();

  /// What is left of the line: the bytes from `here` to `end`.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_, end_ - at_); }
  [[nodiscard]] size_t here() const { return at_; }
  [[nodiscard]] size_t end() const { return end_; }
  [[nodiscard]] size_t text_size() const { return text_.size(); }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool at_char(char c) const { return at_ < end_ && text_[at_] == c; }
  [[nodiscard]] bool at_digit() const { return at_ < end_ && is_digit(text_[at_]); }
  [[nodiscard]] bool at_blank() const { return at_ < end_ && is_blank(text_[at_]); }
  [[nodiscard]] bool at_word(std::string_view word) const;

  void skip(size_t bytes) { at_ += bytes; }
  void skip_blanks() {
    while (at_blank()) ++at_;
  }
  /// Steps over `c` if it stands here.
  bool take(char c) {
    const bool there = at_char(c);
    if (there) ++at_;
    return there;
  }
  std::string_view word();
  void end_of_line(std::string_view where);
  /// A whole number that starts right here.
  uint64_t number(std::string_view what, uint64_t limit = UINT64_MAX);
  /// A number below the limit of ids, after blanks; it is a word of its own.
  uint32_t next_number(std::string_view what);
  /// "0 1 2" or "0..2", to the end of the line.
  void nodes(std::string_view noun, std::vector<NodeId>& nodes);

  /// Settings to the end of a line that starts with `where`. Returns which were given: bit i for allowed[i].
  template <typename Reader, size_t kCount>
  unsigned settings(Reader& reader, const std::array<Setting<Reader>, kCount>& allowed,
                    std::string_view where) {
    std::array<std::string_view, kCount> names;
    for (size_t i = 0; i < kCount; ++i) names[i] = allowed[i].name;
    unsigned seen = 0;
    for (skip_blanks(); !at_end(); skip_blanks()) {
      const std::pair<size_t, std::string_view> given = next_setting(names, seen, where);
      at(value_at_, given.second.size(), [&] { allowed[given.first].set(reader, given.second); });
    }
    return seen;
  }
  /// Where the value of the last setting begins.
  [[nodiscard]] size_t value_at() const { return value_at_; }

 private:
  std::pair<size_t, std::string_view> next_setting(std::span<const std::string_view> allowed, unsigned& seen,
                                                   std::string_view where);

  std::string_view text_;
  std::string_view source_;
  size_t at_ = 0;    // next byte of the line
  size_t end_ = 0;   // of the line, without comment
  size_t next_ = 0;  // start of the next line
  size_t value_at_ = 0;
};

/// The value of a setting as a whole number. Throws InputError without a place, as the next one does.
uint64_t whole(std::string_view value);
/// The same, below the limit of ids; `what` starts the message: "pieces is".
uint32_t whole_id(std::string_view value, std::string_view what);

}  // namespace quadrille::plan_text
