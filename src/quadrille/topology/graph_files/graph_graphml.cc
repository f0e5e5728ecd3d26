// GraphML, read by pugixml.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <unordered_map>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_rates.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

// Without the prefix of a name space.
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view whole = node.name();
  return whole.substr(whole.find(':') + 1);
}

enum class KeyType { kText, kNumber, kBoolean };

// <key>: an attribute of nodes or of edges.
struct Key {
  std::string name;
  KeyType type = KeyType::kText;
  std::string value{};  // where an element has none
};
using Keys = std::map<std::string, Key, std::less<>>;

KeyType key_type(std::string_view name) {
  if (name == "int" || name == "long" || name == "integer" || name == "float" || name == "double") {
    return KeyType::kNumber;
  }
  return name == "boolean" || name == "bool" ? KeyType::kBoolean : KeyType::kText;
}

Keys keys_of(const pugi::xml_node& root, std::string_view element) {
  Keys out;
  for (const pugi::xml_node& node : root.children()) {
    if (local_name(node) != "key") continue;
    const std::string_view of = node.attribute("for").value();
    if (of != element && of != "all" && !of.empty()) continue;
    const std::string id = node.attribute("id").value();
    Key key{node.attribute("attr.name").as_string(id.c_str()), key_type(node.attribute("attr.type").value())};
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "default") key.value = child.child_value();
    }
    out.emplace(id, std::move(key));
  }
  return out;
}

// What an element says by one of its keys; without a text where it says nothing.
struct Said {
  KeyType type = KeyType::kText;
  std::string text{};
  bool by_default = false;  // the key does, and not the element
};

Said said(const pugi::xml_node& element, const Keys& keys, std::string_view name) {
  Said out;
  for (const auto& [id, key] : keys) {
    if (key.name == name) out = {key.type, key.value, true};
  }
  for (const pugi::xml_node& data : element.children()) {
    if (local_name(data) != "data") continue;
    const auto key = keys.find(std::string_view(data.attribute("key").value()));
    if (key != keys.end() && key->second.name == name) out = {key->second.type, data.child_value(), false};
  }
  if (out.type != KeyType::kText) out.text = trimmed(out.text);
  return out;
}

// Not a number where nothing is said.
double number_of(const Said& given, std::string_view where, std::string_view attribute) {
  if (given.text.empty()) return std::nan("");
  double value = 0;
  const char* end = given.text.data() + given.text.size();
  const auto [stop, error] = std::from_chars(given.text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  throw InputError(fmt::format("{}: its {} is '{}', which is not a number, as the file's keys promise", where,
                               attribute, given.text));
}

// As text: numbers without needless digits.
std::string text_of(const Said& given, std::string_view where, std::string_view attribute) {
  if (given.type != KeyType::kNumber) return given.text;
  const double value = number_of(given, where, attribute);
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

// The value of an attribute as it is written in the tag whose name begins at `at`; "" if it is not found.
std::string_view written(std::string_view text, size_t at, std::string_view wanted) {
  at = text.find_first_of(kBlanks, at);
  while (at != std::string_view::npos) {
    at = text.find_first_not_of(kBlanks, at);
    const size_t equals = text.find('=', at);
    const size_t quote = text.find_first_of("\"'", equals);
    if (at == std::string_view::npos || quote == std::string_view::npos) break;
    const size_t close = text.find(text[quote], quote + 1);
    if (close == std::string_view::npos) break;
    const std::string_view name = text.substr(at, text.find_first_of(" \t\r\n=", at) - at);
    if (name == wanted) return text.substr(quote + 1, close - quote - 1);
    at = close + 1;
  }
  return {};
}

// Reads the one graph of a document.
class GraphMlReader {
 public:
  GraphMlReader(const std::string& source, const std::string& content) : source_(source), content_(content) {}

  GraphTables read() {
    const pugi::xml_node root = parse();
    const pugi::xml_node graph = graph_of(root);
    out_.directed = std::string_view(graph.attribute("edgedefault").value()) == "directed";
    const Keys node_keys = keys_of(root, "node");
    const Keys edge_keys = keys_of(root, "edge");
    node_others_ = other_names(node_keys, {"name", "label", "id", "endpoint"});
    edge_others_ = other_names(edge_keys, {"capacity"});
    for (const pugi::xml_node& element : graph.children()) {
      if (local_name(element) == "node") add_node(element, node_keys);
    }
    for (const pugi::xml_node& element : graph.children()) {
      if (local_name(element) == "edge") add_edge(element, edge_keys);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(size_t offset, std::string_view why) const {
    throw input_error_at(source_, content_, std::min(offset, content_.size()), 1,
                         fmt::format("this is not GraphML: {}", why));
  }

  pugi::xml_node parse() {
    if (content_.empty()) throw InputError(fmt::format("{} is empty", source_));
    const pugi::xml_parse_result result = document_.load_buffer(content_.data(), content_.size());
    if (!result) fail(static_cast<size_t>(std::max<ptrdiff_t>(result.offset, 0)), result.description());
    const pugi::xml_node root = document_.document_element();
    if (local_name(root) != "graphml") fail(offset_of(root), "it begins with another element than graphml");
    for (pugi::xml_node other = root.next_sibling(); other; other = other.next_sibling()) {
      if (other.type() == pugi::node_element) fail(offset_of(other), "it has a second root");
    }
    return root;
  }

  [[nodiscard]] pugi::xml_node graph_of(const pugi::xml_node& root) const {
    for (const pugi::xml_node& child : root.children()) {
      if (local_name(child) == "graph") return child;
    }
    fail(offset_of(root), "it has no graph");
  }

  static size_t offset_of(const pugi::xml_node& node) {
    return static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug(), 0));
  }

  void add_node(const pugi::xml_node& element, const Keys& keys) {
    const std::string id = element.attribute("id").value();
    if (id.empty()) fail(offset_of(element), "this node has no id");
    const auto [at, is_new] = number_.emplace(id, static_cast<uint32_t>(out_.nodes.size()));
    if (!is_new) fail(offset_of(element), fmt::format("there is a node '{}' already", id));
    if (out_.nodes.size() + 1 >= kMaxIds) {
      throw InputError(fmt::format("{} has more than {} nodes", source_, kMaxIds - 1));
    }
    GraphTables::Node node{};
    for (const char* attribute : {"name", "label", "id"}) {
      if (node.name.empty()) node.name = text_of(said(element, keys, attribute), source_, attribute);
    }
    if (node.name.empty()) node.name = id;
    const std::string where = fmt::format("{}: node {}", source_, node.name);
    const Said marked = said(element, keys, "endpoint");
    const std::string endpoint = text_of(marked, where, "endpoint");
    if (!endpoint.empty()) {
      node.endpoint = endpoint_value(where, endpoint);
      out_.endpoint_by_default = out_.endpoint_by_default || marked.by_default;
    }
    for (const std::string& name : node_others_) {
      if (Said other = said(element, keys, name); !other.text.empty())
        node.others.emplace_back(name, std::move(other.text));
    }
    out_.nodes.push_back(std::move(node));
  }

  uint32_t end_of(const pugi::xml_node& element, const char* attribute) const {
    const pugi::xml_attribute given = element.attribute(attribute);
    if (!given) fail(offset_of(element), fmt::format("this edge has no {}", attribute));
    const auto node = number_.find(given.value());
    if (node != number_.end()) return node->second;
    const std::string message =
        fmt::format("this edge has a node '{}' that the file does not list", given.value());
    // In UTF-16 offsets are others.
    const std::string_view there = written(content_, offset_of(element), attribute);
    if (there.empty()) throw InputError(fmt::format("{}: {}", source_, message));
    throw input_error_at(source_, content_, static_cast<size_t>(there.data() - content_.data()), there.size(),
                         message);
  }

  void add_edge(const pugi::xml_node& element, const Keys& keys) {
    GraphTables::Edge edge{end_of(element, "source"), end_of(element, "target")};
    const std::string where = fmt::format("{}: the edge from {} to {}", source_, out_.nodes[edge.tail].name,
                                          out_.nodes[edge.head].name);
    const Said given = said(element, keys, "capacity");
    if (given.type == KeyType::kBoolean) {
      throw InputError(fmt::format("{} has a capacity that is not a number", where));
    }
    if (given.type == KeyType::kText && !given.text.empty()) {
      edge.capacity = capacity_value(where, std::string_view(given.text));
      edge.has_capacity = !given.by_default;
    } else if (const double value = number_of(given, where, "capacity"); !std::isnan(value)) {
      edge.capacity = capacity_value(where, value);
      edge.has_capacity = !given.by_default;
    }
    // In UTF-16 offsets are others.
    const size_t offset = offset_of(element);
    if (std::string_view(content_).substr(std::min(offset, content_.size())).starts_with(element.name()))
      edge.place = offset + 1;
    for (const std::string& name : edge_others_) {
      const Said other = said(element, keys, name);
      const std::string wrong = take_edge_attribute(out_, edge, name, other.text);
      if (!wrong.empty()) GraphText{source_, content_}.fail(out_, edge, wrong);
    }
    out_.edges.push_back(edge);
  }

  // What the keys are called besides those.
  static std::vector<std::string> other_names(const Keys& keys,
                                              std::initializer_list<std::string_view> ours) {
    std::vector<std::string> out;
    for (const auto& [id, key] : keys) {
      if (std::find(ours.begin(), ours.end(), key.name) == ours.end()) out.push_back(key.name);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  const std::string& source_;
  const std::string& content_;
  std::vector<std::string> node_others_{};
  std::vector<std::string> edge_others_{};
  pugi::xml_document document_{};
  std::unordered_map<std::string, uint32_t> number_{};
  GraphTables out_{};
};

}  // namespace

GraphTables read_graphml(const std::string& source, const std::string& content) {
  return GraphMlReader(source, content).read();
}

}  // namespace quadrille
