// DOT, read by Boost.Graph.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/dynamic_property_map.hpp>
#include <map>
#include <numeric>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/rational.h"
#include "quadrille/topology/graph_files/graph_dot_size.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

struct DotNode {
  std::string id;
  std::string name;
  std::string label;
  std::string endpoint;
};
struct DotEdge {
  std::string capacity;
  std::string bandwidth;
  std::string latency;
};
using DotGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, DotNode, DotEdge>;
using UndirectedDotGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, DotNode, DotEdge>;

// The parser descends into braces by recursion. Files with few braces cannot go deep; in others the depth is
// counted, which only works where it is clear what is a string or a comment.
constexpr size_t kMaxDepth = 100;
constexpr std::ptrdiff_t kFewBraces = 200;

// Where a quoted string or a comment that begins at `at` ends; `at` itself for anything else.
size_t skip_opaque(std::string_view text, size_t at) {
  const auto after = [&](std::string_view end, size_t from) {
    const size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text[at] == '"') {
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) return after("\n", at);
  if (text.substr(at, 2) == "//") return after("\n", at);
  if (text.substr(at, 2) == "/*") return after("*/", at + 2);
  return at;
}

void check_nesting(const std::string& source, const std::string& content) {
  if (std::count(content.begin(), content.end(), '{') <= kFewBraces) return;
  size_t depth = 0;
  for (size_t i = 0; i < content.size(); ++i) {
    for (size_t end = skip_opaque(content, i); end != i; end = skip_opaque(content, i)) {
      i = end;
      if (i == content.size()) return;
    }
    const auto fail = [&](std::string_view message) { throw input_error_at(source, content, i, 1, message); };
    if (content[i] == '<' || content[i] == '#') {
      fail(fmt::format("'{}' outside of quotes is not read in files of more than {} braces", content[i],
                       kFewBraces));
    }
    if (content[i] == '{' && ++depth > kMaxDepth) {
      fail(fmt::format("nested too deeply; at most {} levels", kMaxDepth));
    }
    if (content[i] == '}' && depth > 0) --depth;
  }
}

// Attributes that are none of ours: of nodes what they say, of edges how many have them.
struct OtherAttributes {
  std::map<size_t, std::map<std::string, std::string>> of_nodes{};
  std::map<std::string, uint64_t> of_edges{};
};

template <typename GraphType>
void parse(const std::string& content, GraphType& graph, OtherAttributes& others) {
  using Node = typename boost::graph_traits<GraphType>::vertex_descriptor;
  using Edge = typename boost::graph_traits<GraphType>::edge_descriptor;
  boost::dynamic_properties properties(
      [&others](const std::string& name, const boost::any& of, const boost::any& value) {
        if (of.type() == typeid(Node)) {
          const auto* const text = boost::any_cast<std::string>(&value);
          others.of_nodes[boost::any_cast<Node>(of)][name] = text == nullptr ? "" : *text;
        } else if (of.type() == typeid(Edge)) {
          ++others.of_edges[name];
        }
        return boost::shared_ptr<boost::dynamic_property_map>();
      });
  properties.property("node_id", boost::get(&DotNode::id, graph));
  properties.property("name", boost::get(&DotNode::name, graph));
  properties.property("label", boost::get(&DotNode::label, graph));
  properties.property("endpoint", boost::get(&DotNode::endpoint, graph));
  properties.property("capacity", boost::get(&DotEdge::capacity, graph));
  properties.property("bandwidth", boost::get(&DotEdge::bandwidth, graph));
  properties.property("latency", boost::get(&DotEdge::latency, graph));
  boost::read_graphviz(content, graph, properties, "node_id");
}

std::string name_of(const DotNode& node) {
  if (!node.name.empty()) return node.name;
  // "\N" is DOT for the node's id.
  return node.label.empty() || node.label == "\\N" ? node.id : node.label;
}

template <typename GraphType>
GraphTables tables_of(const std::string& source, const GraphType& graph, const OtherAttributes& others,
                      bool directed) {
  const auto nodes = static_cast<uint32_t>(boost::num_vertices(graph));
  std::vector<uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return natural_less(graph[a].id, graph[b].id); });
  std::vector<uint32_t> number(nodes);
  GraphTables out;
  out.directed = directed;
  for (uint32_t i = 0; i < nodes; ++i) {
    const DotNode& given = graph[order[i]];
    number[order[i]] = i;
    GraphTables::Node node{name_of(given)};
    if (!given.endpoint.empty()) {
      node.endpoint = endpoint_value(fmt::format("{}: node {}", source, given.id), given.endpoint);
    }
    if (const auto said = others.of_nodes.find(order[i]); said != others.of_nodes.end())
      node.others.assign(said->second.begin(), said->second.end());
    out.nodes.push_back(std::move(node));
  }
  for (const auto& [name, count] : others.of_edges) out.edge_others.emplace(name, count);
  const auto range = boost::edges(graph);
  for (auto e = range.first; e != range.second; ++e) {
    const auto tail = static_cast<uint32_t>(boost::source(*e, graph));
    const auto head = static_cast<uint32_t>(boost::target(*e, graph));
    GraphTables::Edge edge{number[tail], number[head]};
    const DotEdge& given = graph[*e];
    if (!given.capacity.empty()) {
      edge.capacity = capacity_value(
          fmt::format("{}: the edge from {} to {}", source, graph[tail].id, graph[head].id), given.capacity);
      edge.has_capacity = true;
    }
    for (const auto& [name, value] :
         {std::pair<std::string_view, const std::string&>("bandwidth", given.bandwidth),
          std::pair<std::string_view, const std::string&>("latency", given.latency)}) {
      const std::string wrong = take_edge_attribute(out, edge, name, value);
      if (!wrong.empty()) {
        throw InputError(
            fmt::format("{}: the edge from {} to {} {}", source, graph[tail].id, graph[head].id, wrong));
      }
    }
    out.edges.push_back(edge);
  }
  return out;
}

GraphTables parse_either(const std::string& source, const std::string& content) {
  try {
    UndirectedDotGraph graph;
    OtherAttributes others;
    parse(content, graph, others);
    return tables_of(source, graph, others, false);
  } catch (const boost::directed_graph_error&) {
    DotGraph graph;
    OtherAttributes others;
    parse(content, graph, others);
    return tables_of(source, graph, others, true);
  }
}

// What an edge takes while the graph is read, measured.
constexpr Int128 kBytesPerEdge = 420;

// More edges than this must each be written: {a b} -- {c d} is a product, and the parser does not say how far
// it is. 2^22 take some ten seconds.
constexpr uint64_t kMostInProducts = uint64_t{1} << 22U;

void require_modest(const std::string& source, const std::string& content) {
  const uint64_t edges = stated_dot_edges(content);
  require_memory(Int128{edges} * kBytesPerEdge, fmt::format("{} states {} edges and", source, edges));
  if (edges <= std::max<uint64_t>(kMostInProducts, content.size())) return;
  throw InputError(
      fmt::format("{} states {} edges in {} bytes: of edges that are written as products, like {{a b}} -- "
                  "{{c d}}, at most {} are read",
                  source, edges, content.size(), kMostInProducts));
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

}  // namespace

GraphTables read_dot(const std::string& source, const std::string& content) {
  check_nesting(source, content);
  require_modest(source, content);
  try {
    return parse_either(source, content);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{} is not DOT: {}", source, first_line(error.what())));
  }
}

}  // namespace quadrille
