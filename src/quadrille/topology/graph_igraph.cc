// GraphML and GML, read by igraph.
#include <fmt/format.h>
#include <igraph.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include "quadrille/base/check.h"
#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/graph_tables.h"

namespace quadrille {
namespace {

// The last thing igraph said about why it failed.
thread_local std::string failure;

void remember_failure(const char* reason, const char*, int, igraph_error_t) {
  failure = reason;
  IGRAPH_FINALLY_FREE();
}

void stay_silent(const char*, const char*, int) {}

void set_up_igraph() {
  igraph_set_error_handler(remember_failure);
  igraph_set_warning_handler(stay_silent);
  igraph_set_attribute_table(&igraph_cattribute_table);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct Graph {
  igraph_t graph{};
  bool made = false;
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (made) igraph_destroy(&graph);
  }
};

using Types = std::map<std::string, igraph_attribute_type_t>;

// The attributes of the nodes and of the edges.
std::pair<Types, Types> attributes_of(const igraph_t& graph) {
  igraph_strvector_t names[3];
  igraph_vector_int_t types[3];
  for (auto& list : names) QUADRILLE_CHECK(igraph_strvector_init(&list, 0) == IGRAPH_SUCCESS, "igraph");
  for (auto& list : types) QUADRILLE_CHECK(igraph_vector_int_init(&list, 0) == IGRAPH_SUCCESS, "igraph");
  igraph_cattribute_list(&graph, &names[0], &types[0], &names[1], &types[1], &names[2], &types[2]);
  Types out[3];
  for (size_t k = 0; k < 3; ++k) {
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&names[k]); ++i) {
      out[k][igraph_strvector_get(&names[k], i)] = static_cast<igraph_attribute_type_t>(VECTOR(types[k])[i]);
    }
    igraph_strvector_destroy(&names[k]);
    igraph_vector_int_destroy(&types[k]);
  }
  return {std::move(out[1]), std::move(out[2])};
}

std::string node_text(const igraph_t& graph, const Types& types, const char* attribute, igraph_integer_t v) {
  const auto type = types.find(attribute);
  if (type == types.end()) return "";
  switch (type->second) {
    case IGRAPH_ATTRIBUTE_STRING:
      return igraph_cattribute_VAS(&graph, attribute, v);
    case IGRAPH_ATTRIBUTE_NUMERIC: {
      const double value = igraph_cattribute_VAN(&graph, attribute, v);
      return std::isnan(value) ? "" : fmt::format("{}", value);  // not a number: this node has none
    }
    case IGRAPH_ATTRIBUTE_BOOLEAN:
      return igraph_cattribute_VAB(&graph, attribute, v) ? "true" : "false";
    default:
      return "";
  }
}

std::string name_of(const igraph_t& graph, const Types& types, igraph_integer_t v) {
  for (const char* attribute : {"name", "label", "id"}) {
    std::string name = node_text(graph, types, attribute, v);
    if (!name.empty()) return name;
  }
  return "";
}

uint32_t capacity_of(const igraph_t& graph, const Types& types, igraph_integer_t edge,
                     const std::string& where) {
  const auto type = types.find("capacity");
  if (type == types.end()) return 1;
  if (type->second == IGRAPH_ATTRIBUTE_STRING) {
    const std::string value = igraph_cattribute_EAS(&graph, "capacity", edge);
    return value.empty() ? 1 : capacity_value(where, value);
  }
  if (type->second != IGRAPH_ATTRIBUTE_NUMERIC) {
    throw InputError(fmt::format("{} has a capacity that is not a number", where));
  }
  const double value = igraph_cattribute_EAN(&graph, "capacity", edge);
  return std::isnan(value) ? 1 : capacity_value(where, value);
}

}  // namespace

GraphTables read_with_igraph(const std::string& source, const std::string& content, bool graphml) {
  if (content.empty()) throw InputError(fmt::format("{} is empty", source));
  set_up_igraph();
  failure.clear();
  std::string text = content;
  const std::unique_ptr<std::FILE, CloseFile> file(fmemopen(text.data(), text.size(), "rb"));
  QUADRILLE_CHECK(file != nullptr, "fmemopen");
  Graph holder;
  const igraph_error_t code = graphml ? igraph_read_graph_graphml(&holder.graph, file.get(), 0)
                                      : igraph_read_graph_gml(&holder.graph, file.get());
  if (code != IGRAPH_SUCCESS) {
    throw InputError(fmt::format("{} is not {}: {}", source, graphml ? "GraphML" : "GML",
                                 failure.empty() ? igraph_strerror(code) : failure));
  }
  holder.made = true;
  if (graphml) require_declared_nodes(source, content);
  const igraph_t& graph = holder.graph;
  if (igraph_vcount(&graph) >= static_cast<igraph_integer_t>(kMaxIds)) {
    throw InputError(fmt::format("{} has {} nodes; at most {} can be numbered", source, igraph_vcount(&graph),
                                 kMaxIds - 1));
  }
  GraphTables out;
  out.directed = igraph_is_directed(&graph);
  const auto [node_types, edge_types] = attributes_of(graph);
  for (igraph_integer_t v = 0; v < igraph_vcount(&graph); ++v) {
    GraphTables::Node node{name_of(graph, node_types, v)};
    const std::string endpoint = node_text(graph, node_types, "endpoint", v);
    if (!endpoint.empty()) {
      node.endpoint = endpoint_value(fmt::format("{}: node {}", source, node.name), endpoint);
    }
    out.nodes.push_back(std::move(node));
  }
  for (igraph_integer_t e = 0; e < igraph_ecount(&graph); ++e) {
    GraphTables::Edge edge{static_cast<uint32_t>(IGRAPH_FROM(&graph, e)),
                           static_cast<uint32_t>(IGRAPH_TO(&graph, e))};
    edge.capacity = capacity_of(graph, edge_types, e,
                                fmt::format("{}: the edge from {} to {}", source, out.nodes[edge.tail].name,
                                            out.nodes[edge.head].name));
    out.edges.push_back(edge);
  }
  return out;
}

}  // namespace quadrille
