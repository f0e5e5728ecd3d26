// Lists of edges, one a line: "a b" or "a,b", "a b 2" with a capacity, "a b 100Gbit/s 2us" with a bandwidth, a latency or both, or
// with any attributes, "a b capacity=2 weight=0.5", or as networkx writes them: "a b {'capacity': 2, 'weight': 0.5}". Nodes that
// networkx calls by tuples, "(0, 1) (0, 2) {}", are "(0,1)" and "(0,2)". A first line that names two columns as the ends of
// edges, "source,target,bandwidth", is a header: the others are attributes; it may have semicolons, and so have the others
// then. A field that begins with a quote ends with one, and has it doubled.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

struct NaturalLess {
  bool operator()(std::string_view a, std::string_view b) const { return natural_less(a, b); }
};

struct NamedEdge {
  std::string_view tail;
  std::string_view head;
  GraphTables::Edge edge{};
};

// Where a field ends that begins at `at`: commas in quotes are its own.
size_t end_of_field(std::string_view line, size_t at, std::string_view separators) {
  const size_t first = line.find_first_not_of(kBlanks, at);
  if (first == std::string_view::npos || line[first] != '"')
    return std::min(line.find_first_of(separators, at), line.size());
  size_t close = line.find('"', first + 1);
  while (close != std::string_view::npos && line.substr(close + 1, 1) == "\"")
    close = line.find('"', close + 2);
  return std::min(line.find_first_of(separators, std::min(close, line.size())), line.size());
}

// The fields of a table's line, where any may be empty.
std::vector<std::string_view> separated(std::string_view line, char separator) {
  if (separator == ',' && line.find(',') == std::string_view::npos) return words_of(line);
  std::vector<std::string_view> out;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = end_of_field(line, at, {&separator, 1});
    out.push_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

// "a,b,2", "a, b, 2" or "a , b , 2", as spreadsheets and people write a line; "0,1 0,2" are two names. What begins with a quoted field is one, too.
bool is_between_commas(std::string_view line) {
  if (line.find(',') == std::string_view::npos) return false;
  const std::string_view first = trimmed(line.substr(0, end_of_field(line, 0, ",")));
  if (first.starts_with('"') && first.ends_with('"') && first.size() < trimmed(line).size()) return true;
  if (line.find_first_of("({") != std::string_view::npos) return false;
  const std::vector<std::string_view> words = words_of(line);
  return words.size() == 1 || words[0].ends_with(',') ||
         std::ranges::any_of(words, [](std::string_view word) { return word.starts_with(','); });
}

// What is missing behind the two nodes may be missing; of a line of commas all is.
std::vector<std::string_view> fields_of(std::string_view line) {
  constexpr size_t kNodes = 2;
  std::vector<std::string_view> out;
  bool has_any = false;
  for (const std::string_view field : separated(line, ',')) {
    has_any = has_any || !field.empty();
    if (!field.empty() || out.size() < kNodes) out.push_back(field);
  }
  return has_any ? out : std::vector<std::string_view>();
}

// Up to a # that is in no quoted field.
std::string_view without_comment(std::string_view line) {
  if (line.find('"') == std::string_view::npos) return line.substr(0, line.find('#'));
  size_t at = 0;
  while (at < line.size() && line[at] != '#') {
    const size_t end = end_of_field(line, at, ",;#");
    at = end < line.size() && line[end] != '#' ? end + 1 : end;
  }
  return line.substr(0, at);
}

// The words of a line, where tuples are one: (0, 1) is a node.
std::vector<std::string_view> edge_words(std::string_view line) {
  if (is_between_commas(line)) return fields_of(line);
  std::vector<std::string_view> out;
  bool in_tuple = false;
  for (const std::string_view word : words_of(line)) {
    if (in_tuple) {
      out.back() = std::string_view(out.back().data(),
                                    static_cast<size_t>(word.data() + word.size() - out.back().data()));
    } else {
      out.push_back(word);
    }
    const size_t rest = static_cast<size_t>(word.data() - line.data());
    in_tuple = !word.ends_with(')') && out.size() <= 2 && out.back().starts_with('(') &&
               line.find(')', rest) != std::string_view::npos;
  }
  return out;
}

std::string in_lower_case(std::string_view text) {
  std::string out(trimmed(text));
  if (out.size() >= 2 && out.front() == '"' && out.back() == '"') out = out.substr(1, out.size() - 2);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// What the columns of a table are, where its first line says so: "source,target,bandwidth,latency".
struct Columns {
  size_t tail = 0;
  size_t head = 0;
  char separator = ',';
  std::vector<std::string> names{};
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, word) != names.end();
}

std::optional<Columns> columns_of(std::string_view line, char separator) {
  Columns out;
  std::optional<size_t> tail;
  std::optional<size_t> head;
  out.separator = separator;
  for (const std::string_view field : separated(line, separator)) {
    const std::string name = in_lower_case(field);
    if (is_one_of(name, {"source", "src", "from"}) && !tail) tail = out.names.size();
    if (is_one_of(name, {"target", "dst", "to", "dest", "destination"}) && !head) head = out.names.size();
    out.names.push_back(name);
  }
  if (!tail || !head) return std::nullopt;
  out.tail = *tail;
  out.head = *head;
  return out;
}

class EdgeListReader {
 public:
  EdgeListReader(const std::string& source, std::string_view text) : source_(source), text_(text) {}

  GraphTables read() {
    for (size_t at = 0; at < text_.size();) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      read_line(text_.substr(at, end - at));
      at = end + 1;
    }
    for (auto& entry : number_) {
      entry.second = static_cast<uint32_t>(out_.nodes.size());
      out_.nodes.push_back({std::string(entry.first)});
    }
    for (const NamedEdge& named : edges_) {
      GraphTables::Edge edge = named.edge;
      edge.tail = number_.at(named.tail);
      edge.head = number_.at(named.head);
      out_.edges.push_back(edge);
    }
    return std::move(out_);
  }

 private:
  // Of what stands in the text; else of its line.
  [[nodiscard]] size_t offset_of(std::string_view part) const {
    const std::less<const char*> before;
    if (before(part.data(), text_.data()) || before(text_.data() + text_.size(), part.data())) part = line_;
    return static_cast<size_t>(part.data() - text_.data());
  }
  [[noreturn]] void fail(std::string_view at, std::string_view why) const {
    throw input_error_at(source_, text_, offset_of(at), at.size(), why);
  }

  void read_line(std::string_view whole) {
    line_ = whole;
    const std::string_view line = without_comment(whole);
    std::vector<std::string_view> words = edge_words(line);
    if (words.empty()) return;
    if (!std::exchange(begun_, true)) {
      columns_ = columns_of(line, ',');
      if (!columns_) columns_ = columns_of(line, ';');
      if (columns_) return require_known(line);
    }
    if (columns_) return read_row(line);
    const bool commas = is_between_commas(line);
    const bool has_list = !commas && words.size() > 2 && words[2].starts_with('{');
    if (commas) {
      for (std::string_view& word : words) word = unquoted(word);
    }
    const auto values = std::ranges::count_if(
        words, [](std::string_view word) { return word.find('=') == std::string_view::npos; });
    if (words.size() == 1 && line.find(';') != std::string_view::npos)
      fail(
          trimmed(line),
          "between the fields of an edge are blanks or commas; semicolons only where the first line is a header with "
          "them: source;target;bandwidth");
    if (words.size() == 1 || words[0].empty() || words[1].empty() || (values > 4 && !has_list)) {
      fail(trimmed(line),
           "an edge is two nodes and, if wanted, a capacity or a bandwidth and a latency: 'a b', 'a b 2', "
           "'a b 100Gbit/s 2us' or 'a b capacity=2 latency=2us'");
    }
    NamedEdge edge{commas ? words[0] : name_of(words[0]), commas ? words[1] : name_of(words[1])};
    if (edge.tail == edge.head) fail(words[1], fmt::format("node {} is linked to itself", words[1]));
    edge.edge.place = offset_of(words[0]) + 1;
    if (has_list) {
      // A # in a text is part of it.
      read_list(edge.edge, whole.substr(offset_of(words[2]) - offset_of(whole)));
    } else {
      for (size_t i = 2; i < words.size(); ++i) read_word(edge.edge, words[i]);
    }
    add(edge);
  }

  void require_known(std::string_view header) const {
    const std::vector<std::string_view> fields = separated(header, columns_->separator);
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string& name = columns_->names[i];
      if (name.empty()) fail(trimmed(header), "this column has no name");
      if (std::ranges::count(columns_->names, name) > 1)
        fail(fields[i], fmt::format("two columns are called '{}'", name));
      if (i != columns_->tail && i != columns_->head &&
          is_one_of(name, {"source", "src", "from", "target", "dst", "to", "dest", "destination"}))
        fail(fields[i],
             "a table of edges has one column for where an edge begins, and one for where it ends");
    }
  }

  // As the header says.
  void read_row(std::string_view line) {
    const std::vector<std::string_view> fields = separated(line, columns_->separator);
    if (std::ranges::all_of(fields, &std::string_view::empty)) return;
    const std::vector<std::string>& names = columns_->names;
    if (fields.size() != names.size())
      fail(trimmed(line), fmt::format("this line has {}, and the header names {}",
                                      plural(fields.size(), "field"), names.size()));
    for (const size_t end : {columns_->tail, columns_->head})
      if (fields[end].empty()) fail(trimmed(line), fmt::format("the field '{}' is empty", names[end]));
    NamedEdge edge{unquoted(fields[columns_->tail]), unquoted(fields[columns_->head])};
    if (edge.tail == edge.head)
      fail(fields[columns_->head], fmt::format("node {} is linked to itself", edge.head));
    edge.edge.place = offset_of(fields[columns_->tail]) + 1;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i != columns_->tail && i != columns_->head && !fields[i].empty())
        take(edge.edge, names[i], unquoted(fields[i]));
    }
    add(edge);
  }

  // A doubled quote is one; the text is another then.
  std::string_view unquoted(std::string_view field) {
    if (!field.starts_with('"')) return field;
    const std::string_view inner = field.substr(1, std::max<size_t>(field.size(), 2) - 2);
    size_t quotes = 0;
    for (const char c : inner) quotes += c == '"' ? 1U : 0U;
    if (field.size() == 1 || !field.ends_with('"') || quotes % 2 != 0)
      fail(field, "this text does not end where the field does; in quotes a quote is doubled");
    if (quotes == 0) return inner;
    std::string& text = texts_.emplace_back();
    for (size_t i = 0; i < inner.size(); ++i) {
      text += inner[i];
      if (inner[i] == '"') ++i;
    }
    return text;
  }

  void add(const NamedEdge& edge) {
    number_.emplace(edge.tail, 0);
    number_.emplace(edge.head, 0);
    edges_.push_back(edge);
  }

  // Without the blanks of a tuple.
  std::string_view name_of(std::string_view word) {
    if (word.find_first_of(kBlanks) == std::string_view::npos) return word;
    std::string& name = texts_.emplace_back(word);
    std::erase_if(name, [](char c) { return kBlanks.find(c) != std::string_view::npos; });
    return name;
  }

  // Its unit says what it is.
  void read_word(GraphTables::Edge& edge, std::string_view word) {
    if (const size_t equals = word.find('='); equals != std::string_view::npos && equals > 0)
      return take(edge, word.substr(0, equals), word.substr(equals + 1));
    if (word.find("/s") != std::string_view::npos || word.ends_with("bps") || word.ends_with("Bps"))
      return take(edge, "bandwidth", word);
    const bool is_time = word.ends_with('s') && is_digit(word[0]);
    if (!is_time && word.find_first_not_of("0123456789+-.") != std::string_view::npos)
      fail(
          word,
          fmt::format(
              "what is '{}'? behind the two nodes of an edge stand a capacity (a whole number, such as 2), or a "
              "bandwidth (such as 100Gbit/s) and a latency (such as 2us)",
              word));
    take(edge, is_time ? "latency" : "capacity", word);
  }

  void take(GraphTables::Edge& edge, std::string_view name, std::string_view value) {
    const bool again = (name == "capacity" && edge.has_capacity) ||
                       (name == "bandwidth" && edge.bandwidth != GraphTables::kNone) ||
                       (name == "latency" && edge.latency != GraphTables::kNone);
    if (again) fail(value, fmt::format("this edge has a {} already", name));
    if (name != "capacity") {
      const std::string wrong = take_edge_attribute(out_, edge, name, value);
      if (!wrong.empty()) fail(value, "this edge " + wrong);
      return;
    }
    try {
      edge.capacity = capacity_value("this edge", value);
      edge.has_capacity = true;
    } catch (const InputError& error) {
      fail(value, error.what());
    }
  }

  // {'name': 'text', "other": 1.5}: texts in either quotes, anything else up to the next comma.
  void read_list(GraphTables::Edge& edge, std::string_view text) {
    std::string_view rest = text.substr(1);
    const auto skip_blanks = [&rest] {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    };
    const auto expect = [&](char c) {
      skip_blanks();
      if (!rest.starts_with(c))
        fail(rest.empty() ? text.substr(0, 1) : rest.substr(0, 1),
             "attributes are written {'capacity': 2, 'latency': '2us'}");
      rest.remove_prefix(1);
    };
    const auto item = [&] {
      skip_blanks();
      if (rest.starts_with('\'') || rest.starts_with('"')) {
        const size_t close = rest.find(rest[0], 1);
        if (close == std::string_view::npos) fail(rest.substr(0, 1), "this text does not end");
        const std::string_view out = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        return out;
      }
      const size_t end = std::min(rest.find_first_of(",:} \t\r"), rest.size());
      const std::string_view out = rest.substr(0, end);
      if (out.empty()) expect('\'');
      rest.remove_prefix(end);
      return out;
    };
    skip_blanks();
    while (!rest.starts_with('}')) {
      const std::string_view name = item();
      expect(':');
      take(edge, name, item());
      skip_blanks();
      if (!rest.starts_with('}')) expect(',');
      skip_blanks();
    }
    rest.remove_prefix(1);
    skip_blanks();
    if (!rest.empty() && !rest.starts_with('#')) fail(rest, "after the attributes of an edge its line ends");
  }

  const std::string& source_;
  std::string_view text_;
  std::string_view line_{};
  bool begun_ = false;
  std::optional<Columns> columns_{};
  std::vector<NamedEdge> edges_{};
  std::deque<std::string> texts_{};
  std::map<std::string_view, uint32_t, NaturalLess> number_{};
  GraphTables out_{};
};

}  // namespace

GraphTables read_edge_list(const std::string& source, const std::string& content) {
  return EdgeListReader(source, content).read();
}

}  // namespace quadrille
