#include "quadrille/topology/graph_files/graph_dot_size.h"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille {
namespace {

// Names as the text writes them; "a" and a count as two, which only matters for the size of a group.
using Names = std::set<std::string_view>;

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? UINT64_MAX : out;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { next(); }

  uint64_t edges() {
    while (!token_.empty() && token_ != "{") next();
    if (token_ == "{") read_group(nullptr);
    return edges_;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || static_cast<unsigned char>(c) >= 0x80;
  }
  [[nodiscard]] bool at(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void skip_to(std::string_view end) {
    const size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  // The next token; empty at the end.
  void next() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (at("//") || (text_[at_] == '#' && (at_ == 0 || text_[at_ - 1] == '\n'))) {
        skip_to("\n");
      } else if (at("/*")) {
        skip_to("*/");
      } else {
        break;
      }
    }
    token_ = {};
    if (at_ == text_.size()) return;
    const size_t begin = at_;
    if (text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
      at_ = std::min(at_ + 1, text_.size());
    } else if (at("--") || at("->")) {
      at_ += 2;
    } else if (is_name(text_[at_])) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    token_ = text_.substr(begin, at_ - begin);
  }
  [[nodiscard]] bool is_name_token() const {
    return !token_.empty() && (is_name(token_[0]) || token_[0] == '"' || token_[0] == '-') && !is_edge();
  }
  [[nodiscard]] bool is_edge() const { return token_ == "--" || token_ == "->"; }

  // From a '{' to after its '}'; the names in it go into `all`, if anybody wants them.
  void read_group(Names* all) {
    next();
    while (!token_.empty() && token_ != "}") read_statement(all);
    next();
  }

  void read_statement(Names* all) {
    uint64_t before = read_operand(all);
    while (is_edge()) {
      next();
      const uint64_t after = read_operand(all);
      edges_ = plus(edges_, times(before, after));
      before = after;
    }
    if (token_ == "[") {
      while (!token_.empty() && token_ != "]") next();
      next();
    }
  }

  // How many nodes one side of an edge is.
  uint64_t read_operand(Names* all) {
    if (token_ == "subgraph") {
      next();
      std::string_view name;
      if (is_name_token()) {
        name = token_;
        next();
      }
      if (token_ != "{") {
        const auto found = groups_.find(name);
        return found == groups_.end() ? 0 : found->second;
      }
      const uint64_t size = read_nodes(all);
      if (!name.empty()) groups_[name] = std::max(groups_[name], size);
      return size;
    }
    if (token_ == "{") return read_nodes(all);
    if (!is_name_token()) {
      next();
      return 0;
    }
    const std::string_view name = token_;
    next();
    if (token_ == "=") {  // an attribute of the graph
      next();
      next();
      return 0;
    }
    while (token_ == ":") {  // a port
      next();
      next();
    }
    if (all != nullptr) all->insert(name);
    return 1;
  }

  uint64_t read_nodes(Names* all) {
    Names mine;
    read_group(&mine);
    if (all != nullptr) all->insert(mine.begin(), mine.end());
    return mine.size();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string_view token_;
  std::map<std::string_view, uint64_t> groups_;
  uint64_t edges_ = 0;
};

}  // namespace

uint64_t stated_dot_edges(std::string_view text) { return Scanner(text).edges(); }

}  // namespace quadrille
