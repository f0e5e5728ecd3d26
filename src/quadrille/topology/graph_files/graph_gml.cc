// GML: keys and values, where a value is a number, a text in quotes, or keys and values again.
//
//     graph [
//       directed 0
//       node [ id 1 label "a" ]
//       node [ id 2 endpoint 1 ]
//       edge [ source 1 target 2 capacity 3 ]
//     ]
//
// As Himsolt's report describes it. What is not a graph's node or edge is passed over, lists within lists,
// too.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

// Of a key: a number, a text, or neither, for a list.
struct Value {
  std::optional<double> number{};
  std::optional<std::string> text{};
  std::string_view written{};

  [[nodiscard]] bool is_list() const { return !number && !text; }
  // As text: numbers without needless digits, "" for a list and for what is not a number.
  [[nodiscard]] std::string words() const {
    if (text) return *text;
    return number && !std::isnan(*number) ? fmt::format("{}", *number) : "";
  }
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

// GML is ASCII; what else a text holds, and quotes, are written like in HTML. Names that are not these stay.
std::string without_entities(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
  std::string out;
  while (!text.empty()) {
    size_t used = 1;
    char c = text[0];
    for (const auto& [written, meant] : kEntities) {
      if (!text.starts_with(written)) continue;
      used = written.size();
      c = meant;
    }
    out += c;
    text.remove_prefix(used);
  }
  return out;
}

class GmlReader {
 public:
  GmlReader(const std::string& source, const std::string& content) : source_(source), text_(content) {}

  GraphTables read() {
    if (text_.empty()) throw InputError(fmt::format("{} is empty", source_));
    while (std::optional<std::string_view> key = next_key(false)) {
      if (*key == "graph" && !seen_) {
        seen_ = true;
        read_graph(*key);
      } else {
        skip_value();
      }
    }
    if (!seen_) fail(text_.substr(0, 1), "it has no graph");
    for (const GivenEdge& edge : edges_) add_edge(edge);
    return std::move(out_);
  }

 private:
  using Values = std::map<std::string_view, Value>;
  struct GivenEdge {
    std::string_view written;
    Values values;
  };

  [[noreturn]] void fail(std::string_view at, std::string_view why) const {
    throw input_error_at(source_, text_, static_cast<size_t>(at.data() - text_.data()),
                         std::max<size_t>(at.size(), 1), fmt::format("this is not GML: {}", why));
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const bool line_starts = at_ == 0 || text_[at_ - 1] == '\n';
      if (line_starts && text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  // The next key; nothing at the end, of a list or of the file.
  std::optional<std::string_view> next_key(bool in_list) {
    skip_blanks();
    if (at_end()) {
      if (in_list) fail(text_.substr(text_.size()), "the file ends before a list does");
      return std::nullopt;
    }
    if (in_list && text_[at_] == ']') {
      ++at_;
      return std::nullopt;
    }
    const size_t begin = at_;
    if (!is_letter(text_[at_])) fail(text_.substr(at_, 1), "a key is expected here");
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void open_list(std::string_view key) {
    skip_blanks();
    if (at_end() || text_[at_] != '[') fail(key, fmt::format("after {} a list in brackets is expected", key));
    ++at_;
  }

  // A number or a text; a list is passed over.
  Value read_value() {
    skip_blanks();
    if (at_end()) fail(text_.substr(text_.size()), "the file ends where a value is expected");
    const size_t begin = at_;
    Value out;
    if (text_[at_] == '[') {
      skip_list();
    } else if (text_[at_] == '"') {
      const size_t close = text_.find('"', at_ + 1);
      if (close == std::string_view::npos) fail(text_.substr(at_, 1), "this text does not end");
      out.text = without_entities(text_.substr(at_ + 1, close - at_ - 1));
      at_ = close + 1;
    } else {
      while (!at_end() && !is_blank(text_[at_]) && text_[at_] != '[' && text_[at_] != ']') ++at_;
      out.number = number_of(text_.substr(begin, at_ - begin));
    }
    out.written = text_.substr(begin, at_ - begin);
    return out;
  }

  [[nodiscard]] double number_of(std::string_view word) const {
    std::string_view digits = word;
    if (digits.starts_with("+")) digits.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || stop != digits.data() + digits.size() || digits.empty()) {
      fail(word.empty() ? text_.substr(at_, 1) : word,
           "a number, a text in quotes or a list is expected here");
    }
    return value;
  }

  // Without recursion: a hostile file may be nested as deeply as it is long.
  void skip_list() {
    ++at_;
    for (size_t depth = 1; depth > 0;) {
      while (next_key(true)) {
        skip_blanks();
        if (!at_end() && text_[at_] == '[') {
          ++at_;
          ++depth;
        } else {
          (void)read_value();
        }
      }
      --depth;
    }
  }

  void skip_value() { (void)read_value(); }

  void read_graph(std::string_view written) {
    open_list(written);
    while (std::optional<std::string_view> key = next_key(true)) {
      if (*key == "node") {
        add_node(*key, read_values(*key));
      } else if (*key == "edge") {
        edges_.push_back({*key, read_values(*key)});
      } else if (*key == "directed") {
        const Value value = read_value();
        if (!value.number) fail(value.written, "directed is 0 or 1");
        out_.directed = *value.number != 0;
      } else {
        skip_value();
      }
    }
  }

  Values read_values(std::string_view of) {
    open_list(of);
    Values out;
    while (std::optional<std::string_view> key = next_key(true)) out.insert_or_assign(*key, read_value());
    return out;
  }

  // The value of `key`, a whole number.
  int64_t id_in(const Values& values, std::string_view key, std::string_view of) const {
    const auto value = values.find(key);
    if (value == values.end()) fail(of, fmt::format("this {} has no {}", of, key));
    int64_t id = 0;
    const std::string_view written = value->second.written;
    const size_t plus = written.starts_with("+") ? 1 : 0;
    const char* end = written.data() + written.size();
    const auto [stop, error] = std::from_chars(written.data() + plus, end, id);
    if (error != std::errc() || stop != end) fail(written, fmt::format("the {} is a whole number", key));
    return id;
  }

  void add_node(std::string_view written, const Values& values) {
    const int64_t id = id_in(values, "id", written);
    if (!number_.emplace(id, static_cast<uint32_t>(out_.nodes.size())).second) {
      fail(values.at("id").written, fmt::format("there is a node {} already", id));
    }
    if (out_.nodes.size() + 1 >= kMaxIds) {
      throw InputError(fmt::format("{} has more than {} nodes", source_, kMaxIds - 1));
    }
    GraphTables::Node node{};
    for (const std::string_view key : {"name", "label"}) {
      const auto value = values.find(key);
      if (node.name.empty() && value != values.end()) node.name = value->second.words();
    }
    if (node.name.empty()) node.name = fmt::format("{}", id);
    const auto endpoint = values.find("endpoint");
    const std::string given = endpoint == values.end() ? "" : endpoint->second.words();
    if (!given.empty()) {
      node.endpoint = endpoint_value(fmt::format("{}: node {}", source_, node.name), given);
    }
    for (const auto& [key, value] : values) {
      if (key == "id" || key == "name" || key == "label" || key == "endpoint" || value.is_list()) continue;
      node.others.emplace_back(key, value.words());
    }
    out_.nodes.push_back(std::move(node));
  }

  [[nodiscard]] uint32_t end_of(const GivenEdge& edge, std::string_view key) const {
    const int64_t id = id_in(edge.values, key, edge.written);
    const auto node = number_.find(id);
    if (node != number_.end()) return node->second;
    const std::string_view at = edge.values.at(key).written;
    throw input_error_at(source_, text_, static_cast<size_t>(at.data() - text_.data()), at.size(),
                         fmt::format("this edge has a node {} that the file does not list", id));
  }

  void add_edge(const GivenEdge& given) {
    GraphTables::Edge edge{end_of(given, "source"), end_of(given, "target")};
    const auto capacity = given.values.find("capacity");
    if (capacity != given.values.end()) {
      const Value& value = capacity->second;
      const std::string where = fmt::format("{}: the edge from {} to {}", source_, out_.nodes[edge.tail].name,
                                            out_.nodes[edge.head].name);
      if (value.text && !value.text->empty()) {
        edge.capacity = capacity_value(where, std::string_view(*value.text));
        edge.has_capacity = true;
      } else if (value.number && !std::isnan(*value.number)) {
        edge.capacity = capacity_value(where, *value.number);
        edge.has_capacity = true;
      } else if (!value.text && !value.number) {
        throw InputError(fmt::format("{} has a capacity that is not a number", where));
      }
    }
    edge.place = static_cast<size_t>(given.written.data() - text_.data()) + 1;
    for (const auto& [key, value] : given.values) {
      if (key == "source" || key == "target" || key == "capacity") continue;
      if (value.is_list() && key != "bandwidth" && key != "latency") continue;
      const std::string wrong = value.is_list()
                                    ? fmt::format("has a {} that is a list, not a text such as \"{}\"", key,
                                                  key == "latency" ? "2us" : "100Gbit/s")
                                    : take_edge_attribute(out_, edge, key, value.words());
      if (!wrong.empty()) {
        throw input_error_at(source_, text_, static_cast<size_t>(value.written.data() - text_.data()),
                             value.written.size(),
                             fmt::format("the edge from {} to {} {}", out_.nodes[edge.tail].name,
                                         out_.nodes[edge.head].name, wrong));
      }
    }
    out_.edges.push_back(edge);
  }

  const std::string& source_;
  std::string_view text_;
  size_t at_ = 0;
  bool seen_ = false;
  std::unordered_map<int64_t, uint32_t> number_{};
  std::vector<GivenEdge> edges_{};
  GraphTables out_{};
};

}  // namespace

GraphTables read_gml(const std::string& source, const std::string& content) {
  return GmlReader(source, content).read();
}

}  // namespace quadrille
