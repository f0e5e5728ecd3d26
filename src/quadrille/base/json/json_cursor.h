// JsonCursor: goes through a JSON text once, by someone who knows what may stand where.
//
//     JsonCursor in(text, "x.json");
//     uint32_t ranks = 0;
//     in.object("the file", keys, required, [&](size_t key) { if (key == 0) ranks = in.number("num_ranks"); });
//     in.end();
//
// No tree is made: a text of a gigabyte costs what its reader keeps of it. Every mistake is an InputError with line, column
// and what is allowed there. How deep a text may go is the reader's affair: he goes as deep as he asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace quadrille {

class JsonCursor {
 public:
  /// Both must outlive this.
  JsonCursor(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  /// An object with some of `keys`, in any order and each once; the first `required` of them must be there. `member` reads
  /// the value of the key with that number. `what` is how errors call the object. Returns which keys came: bit i.
  uint32_t object(std::string_view what, std::span<const std::string_view> keys, size_t required,
                  const std::function<void(size_t)>& member);
  /// `element` reads one.
  void array(std::string_view what, const std::function<void()>& element);
  /// A whole number below 2^32.
  uint32_t number(std::string_view what);
  bool boolean(std::string_view what);
  /// UTF-8, with escapes resolved.
  std::string string(std::string_view what);
  /// One of `words`: which.
  size_t word(std::string_view what, std::span<const std::string_view> words);
  /// Nothing but blanks may follow.
  void end();

  /// The value that was read last is wrong.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  void skip_blanks();
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c);
  void expect(char c, std::string_view what);
  [[noreturn]] void fail_here(std::string_view message) const;
  void append_escape(std::string& out);
  uint32_t code_unit();

  std::string_view text_;
  std::string_view source_;
  size_t at_ = 0;
  size_t value_ = 0;  // where the value that was read last begins
};

}  // namespace quadrille
