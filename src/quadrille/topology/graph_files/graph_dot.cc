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
#include "quadrille/topology/graph_files/graph_dot_plain.h"
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

void require_modest(const std::string& source, const std::string& plain, size_t bytes) {
  const uint64_t edges = stated_dot_edges(plain);
  require_memory(Int128{edges} * kBytesPerEdge, fmt::format("{} states {} edges and", source, edges));
  if (edges <= std::max<uint64_t>(kMostInProducts, bytes)) return;
  throw InputError(
      fmt::format("{} states {} edges in {} bytes: of edges that are written as products, like {{a b}} -- "
                  "{{c d}}, at most {} are read",
                  source, edges, bytes, kMostInProducts));
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// What the reader finds wrong with the words of a beginning; "" for nothing.
std::string syntax_error_in(const std::string& source, std::string_view beginning) {
  try {
    static_cast<void>(parse_either(source, plain_dot(source, beginning)));
  } catch (const boost::bad_graphviz_syntax& error) {
    return error.what();
  } catch (const InputError&) {
    return "";
  }
  return "";
}

// The reader does not say where: it is the first word with which it finds the same wrong, by halves.
InputError syntax_error(const std::string& source, const std::string& content, const std::string& what) {
  std::string message = first_line(what);
  for (const std::string_view quoted : {" (token is ", " (char is "})
    message.resize(std::min(message.find(quoted), message.size()));
  message = fmt::format("this is not DOT: {}", message);
  const std::vector<std::string_view> tokens = dot_tokens(source, content);
  const auto offset = [&](std::string_view token) {
    return static_cast<size_t>(token.data() - content.data());
  };
  const bool at_end = what.find("(token is \"<eof>") != std::string::npos;
  if (at_end || tokens.empty()) {
    const size_t end = tokens.empty() ? 0 : offset(tokens.back()) + tokens.back().size();
    return input_error_at(source, content, end, 1, message);
  }
  const auto wrong = std::ranges::partition_point(tokens, [&](std::string_view token) {
    return syntax_error_in(source, std::string_view(content).substr(0, offset(token) + token.size())) != what;
  });
  const std::string_view token = wrong == tokens.end() ? tokens.back() : *wrong;
  return input_error_at(source, content, offset(token), token.size(), message);
}

}  // namespace

GraphTables read_dot(const std::string& source, const std::string& content) {
  const std::string plain = plain_dot(source, content);
  require_modest(source, plain, content.size());
  try {
    return parse_either(source, plain);
  } catch (const boost::bad_graphviz_syntax& error) {
    throw syntax_error(source, content, error.what());
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{} is not DOT: {}", source, first_line(error.what())));
  }
}

}  // namespace quadrille
