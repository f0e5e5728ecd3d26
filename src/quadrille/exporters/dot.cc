// dot: the network for Graphviz. Nodes are n0, n1, .., so that they are numbered alike when the file is read again; what people
// call them is their label.
#include <fmt/format.h>

#include <iterator>

#include "quadrille/exporters/exporter.h"
#include "quadrille/exporters/network_edges.h"

namespace quadrille::exporters {
namespace dot_parts {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? '_' : c;
  }
  return out + "\"";
}

std::string write(const Topology& network) {
  const NetworkEdges links = network_edges(network);
  std::string out = fmt::format("{} network {{\n", links.directed ? "digraph" : "graph");
  auto to = std::back_inserter(out);
  for (const NodeId node : network.nodes()) {
    fmt::format_to(to, "  n{} [label={}", index(node), quoted(network.label(node)));
    if (network.has_routers()) out += network.rank(node) ? ", endpoint=true" : ", endpoint=false, shape=box";
    out += "];\n";
  }
  for (const NetworkEdge& edge : links.edges) {
    fmt::format_to(to, "  n{} {} n{}", index(edge.tail), links.directed ? "->" : "--", index(edge.head));
    std::string words;
    if (edge.bandwidth) words += fmt::format(", bandwidth=\"{}\"", *edge.bandwidth);
    if (!edge.bandwidth && edge.capacity != 1) words += fmt::format(", capacity={}", edge.capacity);
    if (edge.latency) words += fmt::format(", latency=\"{}\"", *edge.latency);
    if (!words.empty()) fmt::format_to(to, " [{}]", words.substr(2));
    out += ";\n";
  }
  return out + "}\n";
}

}  // namespace
}  // namespace dot_parts

extern const Exporter dot;

constinit const Exporter dot{.name = "dot",
                             .summary = "the network for Graphviz",
                             .extension = ".dot",
                             .write_network = dot_parts::write};

}  // namespace quadrille::exporters
