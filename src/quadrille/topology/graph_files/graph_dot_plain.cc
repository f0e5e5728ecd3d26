#include "quadrille/topology/graph_files/graph_dot_plain.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

// The reader descends into braces by recursion.
constexpr size_t kMaxDepth = 100;

bool is_dot_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// Bytes beyond ASCII are letters, too.
bool is_dot_letter(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool is_subgraph_word(std::string_view token) {
  constexpr std::string_view kWord = "subgraph";
  if (token.size() != kWord.size()) return false;
  for (size_t i = 0; i < kWord.size(); ++i) {
    if ((token[i] | ' ') != kWord[i]) return false;
  }
  return true;
}

bool is_dot_id(std::string_view token) {
  return !token.empty() && (is_dot_letter(token[0]) || token[0] == '"' || token[0] == '<');
}

class DotScanner {
 public:
  DotScanner(const std::string& source, std::string_view text) : source_(source), text_(text) {}

  // Empty at the end.
  std::string_view next() {
    skip();
    if (at_ == text_.size()) return {};
    const size_t begin = at_;
    if (text_[at_] == '"') {
      to_end_of_text();
    } else if (text_[at_] == '<') {
      to_end_of_label();
    } else if (at("--") || at("->")) {
      at_ += 2;
    } else if (is_dot_letter(text_[at_])) {
      while (at_ < text_.size() && is_dot_letter(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    const std::string_view out = text_.substr(begin, at_ - begin);
    if (out == "{" && ++depth_ > kMaxDepth)
      fail(begin, fmt::format("nested too deeply; at most {} levels", kMaxDepth));
    if (out == "}" && depth_ > 0) --depth_;
    return out;
  }

 private:
  [[noreturn]] void fail(size_t begin, std::string_view why) const {
    throw input_error_at(source_, text_, begin, 1, why);
  }
  [[nodiscard]] bool at(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void skip() {
    while (at_ < text_.size()) {
      if (is_dot_blank(text_[at_])) {
        ++at_;
      } else if (at("\\\n")) {
        at_ += 2;
      } else if (at("//") || text_[at_] == '#') {
        at_ = std::min(text_.find_first_of("\n\r", at_), text_.size());
      } else if (at("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail(at_, "this comment does not end");
        at_ = end + 2;
      } else {
        break;
      }
    }
  }

  void to_end_of_text() {
    const size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) fail(begin, "this text does not end");
    ++at_;
  }

  // Angles in it come in pairs.
  void to_end_of_label() {
    const size_t begin = at_;
    size_t open = 0;
    do {
      if (at_ == text_.size()) fail(begin, "this HTML label does not end");
      open += text_[at_] == '<' ? 1U : 0U;
      open -= text_[at_] == '>' ? 1U : 0U;
      ++at_;
    } while (open > 0);
  }

  const std::string& source_;
  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
};

// Without the angles around it; nothing in it ends a text.
void add_html_label(std::string& out, std::string_view label) {
  out += '"';
  for (const char c : label.substr(1, label.size() - 2)) {
    if (c == '"') {
      out += "&quot;";
    } else if (c == '\\') {
      out += "&#92;";
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string plain_dot(const std::string& source, std::string_view text) {
  std::string out;
  out.reserve(text.size());
  DotScanner scanner(source, text);
  const char* end = text.data();
  std::string_view before;
  bool names_subgraph = false;  // `before` does, or is the word itself
  bool begun = false;
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    if (token.data() != end) out += ' ';
    end = token.data() + token.size();
    if (token == "{") {
      if (begun && !names_subgraph && before != "=") out += " subgraph ";
      begun = true;
    }
    if (token[0] == '<') {
      add_html_label(out, token);
    } else {
      out += token;
    }
    names_subgraph = is_subgraph_word(token) || (is_subgraph_word(before) && is_dot_id(token));
    before = token;
  }
  return out;
}

std::vector<std::string_view> dot_tokens(const std::string& source, std::string_view text) {
  std::vector<std::string_view> out;
  DotScanner scanner(source, text);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) out.push_back(token);
  return out;
}

}  // namespace quadrille
