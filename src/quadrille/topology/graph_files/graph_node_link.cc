// Node-link JSON, as networkx and d3 have it: {"directed": false, "nodes": [{"id": 0, ..}, ..], "links": [{"source": 0, "target":
// 1, ..}, ..]}; newer versions of networkx say "edges" for "links".
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/graph_files/graph_rates.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

using JsonValue = nlohmann::json;

// As text: what stands in quotes without them.
std::string words(const JsonValue& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class NodeLinkReader {
 public:
  NodeLinkReader(const std::string& source, const std::string& content)
      : source_(source), content_(content) {}

  GraphTables read() {
    const JsonValue file = parse();
    if (!file.is_object() || !file.contains("nodes") || !file["nodes"].is_array())
      fail("it has no list of \"nodes\"");
    const bool has_links = file.contains("links") && file["links"].is_array();
    if (!has_links && (!file.contains("edges") || !file["edges"].is_array()))
      fail("it has no list of \"links\" or \"edges\"");
    if (const auto directed = file.find("directed"); directed != file.end() && directed->is_boolean())
      out_.directed = directed->get<bool>();
    for (const JsonValue& node : file["nodes"]) add_node(node);
    for (const JsonValue& edge : file[has_links ? "links" : "edges"]) add_edge(edge);
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw InputError(fmt::format("{}: this is not node-link JSON: {}", source_, why));
  }

  [[nodiscard]] JsonValue parse() const {
    try {
      return JsonValue::parse(content_);
    } catch (const JsonValue::parse_error& error) {
      throw input_error_at(source_, content_, std::min(error.byte > 0 ? error.byte - 1 : 0, content_.size()),
                           1, "this is not JSON");
    } catch (const JsonValue::exception&) {  // a number that is too large
      fail("a number is too large");
    }
  }

  void add_node(const JsonValue& node) {
    const std::string here = fmt::format("node number {}", out_.nodes.size());
    if (!node.is_object()) fail(here + " is not an object");
    // d3 counts nodes that have no id.
    const std::string id = node.contains("id") ? words(node["id"]) : fmt::format("{}", out_.nodes.size());
    if (!number_.emplace(id, static_cast<uint32_t>(out_.nodes.size())).second)
      fail(fmt::format("there are two nodes with the id '{}'", id));
    if (out_.nodes.size() + 1 >= kMaxIds)
      throw InputError(fmt::format("{} has more than {} nodes", source_, kMaxIds - 1));
    GraphTables::Node out{};
    for (const char* key : {"name", "label"}) {
      if (out.name.empty() && node.contains(key) && !node[key].is_null()) out.name = words(node[key]);
    }
    if (out.name.empty()) out.name = id;
    for (const auto& [key, value] : node.items()) {
      if (key == "id" || key == "name" || key == "label" || value.is_null()) continue;
      if (key == "endpoint")
        out.endpoint = endpoint_value(fmt::format("{}: node {}", source_, out.name), words(value));
      else
        out.others.emplace_back(key, words(value));
    }
    out_.nodes.push_back(std::move(out));
  }

  [[nodiscard]] uint32_t end_of(const JsonValue& edge, const char* key) const {
    if (!edge.is_object() || !edge.contains(key))
      fail(fmt::format("link number {} has no {}", out_.edges.size(), key));
    const std::string id = words(edge[key]);
    if (const auto node = number_.find(id); node != number_.end()) return node->second;
    throw InputError(fmt::format("{}: link number {} has a node '{}' that the file does not list", source_,
                                 out_.edges.size(), id));
  }

  void add_edge(const JsonValue& given) {
    GraphTables::Edge edge{end_of(given, "source"), end_of(given, "target")};
    const std::string where = fmt::format("{}: the link from {} to {}", source_, out_.nodes[edge.tail].name,
                                          out_.nodes[edge.head].name);
    for (const auto& [key, value] : given.items()) {
      if (key == "source" || key == "target" || key == "key" || value.is_null()) continue;
      if (key == "capacity") {
        edge.capacity = value.is_number() ? capacity_value(where, value.get<double>())
                                          : capacity_value(where, std::string_view(words(value)));
        edge.has_capacity = true;
        continue;
      }
      const std::string wrong = take_edge_attribute(out_, edge, key, words(value));
      if (!wrong.empty()) GraphText{source_, content_}.fail(out_, edge, wrong);
    }
    out_.edges.push_back(edge);
  }

  const std::string& source_;
  const std::string& content_;
  std::unordered_map<std::string, uint32_t> number_{};
  GraphTables out_{};
};

}  // namespace

GraphTables read_node_link(const std::string& source, const std::string& content) {
  return NodeLinkReader(source, content).read();
}

}  // namespace quadrille
