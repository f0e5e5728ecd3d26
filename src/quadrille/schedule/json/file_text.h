// The text of a plan file, and how a mistake in it is shown.
#pragma once

#include <cstddef>
#include <string_view>

namespace quadrille::plan_json {

/// A word, a number or a bracket of the text, or what lies between two brackets.
struct Token {
  size_t begin = 0;
  size_t length = 1;
};

struct FileText {
  std::string_view text;
  std::string_view source;  ///< how errors call it

  /// Throws an InputError with line, column and caret; `place` is what path of keys leads there ("steps[3][7].path"), or empty.
  [[noreturn]] void fail_at(Token where, std::string_view place, std::string_view message) const;
};

}  // namespace quadrille::plan_json
