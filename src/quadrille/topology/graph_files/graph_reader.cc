#include "quadrille/topology/graph_files/graph_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_rates.h"
#include "quadrille/topology/graph_files/graph_roles.h"
#include "quadrille/topology/graph_files/graph_tables.h"
#include "quadrille/topology/graph_files/stray_routers.h"

namespace quadrille {
namespace {

constexpr uint32_t kMaxCapacity = 0xffffffffU;

[[noreturn]] void bad_capacity(std::string_view where, std::string_view value) {
  const bool is_bandwidth = value.find("/s") != std::string_view::npos;
  throw InputError(fmt::format("{} has capacity '{}'; a whole number from 1 to {} is needed{}", where, value,
                               kMaxCapacity,
                               is_bandwidth ? ", and what has a unit is called bandwidth" : ""));
}

GraphTables read_tables(const std::string& source, const std::string& content, GraphFormat format) {
  switch (format) {
    case GraphFormat::kGraphMl:
      return read_graphml(source, content);
    case GraphFormat::kGml:
      return read_gml(source, content);
    case GraphFormat::kDot:
      return read_dot(source, content);
    case GraphFormat::kNodeLink:
      return read_node_link(source, content);
    case GraphFormat::kMetis:
      return read_metis(source, content);
    case GraphFormat::kIbnetdiscover:
      return read_ibnetdiscover(source, content);
    case GraphFormat::kNvidiaSmi:
      return read_nvidia_smi(source, content);
    case GraphFormat::kEdgeList:
      break;
  }
  return read_edge_list(source, content);
}

// By how the first line begins that is not blank and no comment, and by what only one program prints.
std::optional<GraphFormat> format_within(std::string_view content) {
  std::string_view first;
  bool has_gpus = false;
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find('\n', at), content.size());
    std::string_view line = content.substr(at, end - at);
    at = end + 1;
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    line.remove_prefix(begin);
    if (first.empty()) {
      first = line;
      has_gpus = line.find("GPU0") != std::string_view::npos;
    }
    if (has_gpus && line.starts_with("GPU0") && line.data() != first.data()) return GraphFormat::kNvidiaSmi;
    const bool names_a_port_owner =
        line.starts_with("Switch") || line.starts_with("Ca\t") || line.starts_with("Ca ");
    if (names_a_port_owner && line.find(" \"") != std::string_view::npos) return GraphFormat::kIbnetdiscover;
  }
  const auto word = [&first](std::string_view name) {
    return first.starts_with(name) && first.size() > name.size() &&
           std::string_view(" \t\r\"{[").find(first[name.size()]) != std::string_view::npos;
  };
  if (first.starts_with('<')) return GraphFormat::kGraphMl;
  if (first.starts_with('{')) return GraphFormat::kNodeLink;
  if (word("Creator") || (word("graph") && first.find('[') != std::string_view::npos))
    return GraphFormat::kGml;
  if (word("graph") || word("digraph") || word("strict")) return GraphFormat::kDot;
  return std::nullopt;
}

std::string label_of(const GraphTables& tables, uint32_t node) {
  return tables.nodes[node].name.empty() ? fmt::format("{}", node) : tables.nodes[node].name;
}

// Every node says that it is none, perhaps by a default of the file's.
InputError no_endpoint(const GraphTables& tables, const std::string& source) {
  const auto said = std::count_if(tables.nodes.begin(), tables.nodes.end(),
                                  [](const GraphTables::Node& node) { return node.endpoint.has_value(); });
  return InputError(fmt::format(
      "{}: no node is an endpoint: {} of {} nodes have endpoint = false{}, and none has endpoint = true; mark those that "
      "take part, or leave the attribute out, and all do",
      source, said, tables.nodes.size(), tables.endpoint_by_default ? ", by the default of its key" : ""));
}

}  // namespace

GraphFormat graph_format(std::string_view path) {
  const size_t dot = path.rfind('.');
  std::string ending(dot == std::string_view::npos ? "" : path.substr(dot));
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (ending == ".graphml" || ending == ".xml") return GraphFormat::kGraphMl;
  if (ending == ".gml") return GraphFormat::kGml;
  if (ending == ".dot" || ending == ".gv") return GraphFormat::kDot;
  if (ending == ".json") return GraphFormat::kNodeLink;
  if (ending == ".metis" || ending == ".graph") return GraphFormat::kMetis;
  if (ending == ".txt" || ending == ".edges" || ending == ".edgelist" || ending == ".csv")
    return GraphFormat::kEdgeList;
  throw InputError(fmt::format(
      "the ending of '{}' names no graph format; known are .graphml .xml (GraphML), .gml "
      "(GML), .dot .gv (DOT), .json (node-link), .metis .graph (METIS), .txt .edges .edgelist .csv (a line for each edge)",
      path));
}

GraphFormat graph_format(std::string_view path, std::string_view content) {
  const bool is_stream = path == "-";
  const bool may_be_printed = path.ends_with(".txt") || path.ends_with(".TXT");
  if (!is_stream && !may_be_printed && path.rfind('.') != std::string_view::npos &&
      path.find('/', path.rfind('.')) == std::string_view::npos) {
    try {
      return graph_format(path);
    } catch (const InputError&) {
      if (!format_within(content)) throw;
    }
  }
  if (const std::optional<GraphFormat> found = format_within(content)) return *found;
  return is_stream ? GraphFormat::kEdgeList : graph_format(path);
}

Topology read_graph(const std::string& name, const std::string& source, const std::string& content,
                    GraphFormat format, const GraphReading& reading) {
  GraphTables tables = read_tables(source, content, format);
  if (tables.nodes.empty()) throw InputError(fmt::format("{} has no nodes", source));
  mark_switches(tables, source, reading.switches);
  leave_out_stray_routers(tables, source);
  const std::shared_ptr<LinkRates> rates = rate_edges(tables, reading.unit_bandwidth, {source, content});
  TopologyBuilder builder(name, tables.nodes.size());
  const auto node_count = static_cast<uint32_t>(tables.nodes.size());

  std::vector<std::string> labels;
  std::vector<NodeId> endpoints;
  bool marked = false;
  for (uint32_t v = 0; v < node_count; ++v) {
    labels.push_back(label_of(tables, v));
    marked = marked || tables.nodes[v].endpoint.has_value();
    if (tables.nodes[v].endpoint.value_or(false)) endpoints.push_back(NodeId{v});
  }
  if (marked && endpoints.empty()) throw no_endpoint(tables, source);
  for (const GraphTables::Edge& edge : tables.edges) {
    if (edge.tail == edge.head) {
      throw InputError(fmt::format("{}: node {} is linked to itself", source, labels[edge.tail]));
    }
    builder.arc(NodeId{edge.tail}, NodeId{edge.head}, edge.capacity);
    if (!tables.directed) builder.arc(NodeId{edge.head}, NodeId{edge.tail}, edge.capacity);
  }
  builder.labels(std::move(labels));
  if (marked) builder.endpoints(std::move(endpoints));
  Topology net = builder.build();
  std::vector<std::string> remarks;
  if (std::string of = remark_on_attributes(tables, source, reading.switches); !of.empty())
    remarks.push_back(std::move(of));
  if (rates != nullptr && rates->rounded) {
    remarks.push_back(fmt::format("{}: bandwidths that are no multiples of {} count as the next lower one",
                                  source, reading.unit_bandwidth));
  }
  remarks.insert(remarks.end(), tables.remarks.begin(), tables.remarks.end());
  if (rates == nullptr && remarks.empty()) return net;
  return net.with(rates ? rates_of_arcs(*rates, tables, net) : nullptr, std::move(remarks));
}

bool endpoint_value(std::string_view where, std::string_view value) {
  if (value == "1" || value == "true" || value == "True" || value == "TRUE") return true;
  if (value == "0" || value == "false" || value == "False" || value == "FALSE") return false;
  throw InputError(fmt::format("{} has endpoint '{}'; true, false, 1 or 0 is needed", where, value));
}

uint32_t capacity_value(std::string_view where, std::string_view value) {
  uint64_t out = 0;
  for (const char c : value) {
    if (c < '0' || c > '9' || out > kMaxCapacity) bad_capacity(where, value);
    out = out * 10 + static_cast<uint64_t>(c - '0');
  }
  if (value.empty() || out == 0 || out > kMaxCapacity) bad_capacity(where, value);
  return static_cast<uint32_t>(out);
}

uint32_t capacity_value(std::string_view where, double value) {
  if (!(value >= 1) || value > kMaxCapacity || value != std::floor(value)) {
    bad_capacity(where, fmt::format("{}", value));
  }
  return static_cast<uint32_t>(value);
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto digits_at = [&](std::string_view text, size_t at) {
    size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    while (at + 1 < end && text[at] == '0') ++at;
    return text.substr(at, end - at);
  };
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = digits_at(a, i);
      const std::string_view y = digits_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      while (i < a.size() && is_digit(a[i])) ++i;
      while (j < b.size() && is_digit(b[j])) ++j;
    } else {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // "01" and "1" are different names
}

}  // namespace quadrille
