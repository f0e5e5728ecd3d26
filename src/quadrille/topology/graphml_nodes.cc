// GraphML lists its nodes, and a name in an edge that is not among them is a misspelling. The reader of the
// format makes a new node of it; so the text is looked through once more, tag by tag.
#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/topology/graph_tables.h"

namespace quadrille {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

struct Attribute {
  std::string_view value{};
  size_t offset = 0;  // of the value in the text
};

// Goes from tag to tag of a text that a parser has found well-formed.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text) {}

  // True if there is one more.
  bool next() {
    while (true) {
      begin_ = text_.find('<', end_);
      if (begin_ == std::string_view::npos) return false;
      if (skipped("<!--", "-->") || skipped("<![CDATA[", "]]>") || skipped("<?", "?>")) continue;
      end_ = begin_ + 1;
      for (char quote = '\0'; end_ < text_.size() && (quote != '\0' || text_[end_] != '>'); ++end_) {
        const char c = text_[end_];
        if (quote == '\0' && (c == '"' || c == '\'')) {
          quote = c;
        } else if (quote == c) {
          quote = '\0';
        }
      }
      return true;
    }
  }

  // Without the prefix of a name space: "node", "/node".
  [[nodiscard]] std::string_view name() const {
    const std::string_view tag = text_.substr(begin_ + 1, end_ - begin_ - 1);
    const std::string_view whole = tag.substr(0, tag.find_first_of(" \t\r\n/", 1));
    return whole.substr(whole.find(':') + 1);
  }

  [[nodiscard]] Attribute attribute(std::string_view wanted) const {
    size_t at = text_.find_first_of(kBlanks, begin_);
    while (at < end_) {
      at = text_.find_first_not_of(kBlanks, at);
      const size_t equals = text_.find('=', at);
      if (equals >= end_) break;
      const size_t quote = text_.find_first_of("\"'", equals);
      if (quote >= end_) break;
      const size_t close = text_.find(text_[quote], quote + 1);
      if (close >= end_) break;
      const std::string_view name = text_.substr(at, text_.find_first_of(" \t\r\n=", at) - at);
      if (name == wanted) return {text_.substr(quote + 1, close - quote - 1), quote + 1};
      at = close + 1;
    }
    return {};
  }

 private:
  bool skipped(std::string_view start, std::string_view stop) {
    if (text_.substr(begin_, start.size()) != start) return false;
    const size_t at = text_.find(stop, begin_ + start.size());
    end_ = at == std::string_view::npos ? text_.size() : at + stop.size();
    return true;
  }

  std::string_view text_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace

void require_declared_nodes(const std::string& source, const std::string& content) {
  // In UTF-16 the tags look otherwise.
  if (content.find('\0') != std::string::npos) return;
  std::unordered_set<std::string_view> declared;
  std::vector<Attribute> used;
  for (Tags tags(content); tags.next();) {
    const std::string_view name = tags.name();
    if (name == "node") {
      const std::string_view id = tags.attribute("id").value;
      if (id.find('&') != std::string_view::npos) return;  // one name may be written in several ways
      declared.insert(id);
    } else if (name == "edge") {
      used.push_back(tags.attribute("source"));
      used.push_back(tags.attribute("target"));
    }
  }
  for (const Attribute& node : used) {
    if (node.offset == 0 || node.value.find('&') != std::string_view::npos) continue;
    if (declared.contains(node.value)) continue;
    throw input_error_at(source, content, node.offset, node.value.size(),
                         fmt::format("this edge has a node '{}' that the file does not list", node.value));
  }
}

}  // namespace quadrille
